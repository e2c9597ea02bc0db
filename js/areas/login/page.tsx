/** The login page: slogans on one side, the form on the other. */

import { lazy, Suspense, useContext, useState } from "react";
import { AppContext } from "../../lib/app-context";
import { Brand } from "../../shell/brand";
import { LanguageControl, ThemeControl } from "../../shell/controls";
import { Banner } from "./banner";
import { CodeForm } from "./code-form";
import { LoginForm } from "./login-form";

const ForgotForm = lazy(() => import("./forgot-form"));

export default function Login() {
  const { props, t } = useContext(AppContext);
  const [hasForgotten, setForgotten] = useState(false);
  const again = props.loginError;
  const [ticket, setTicket] = useState(again && "ticket" in again ? again.ticket : null);
  const [lapsed, setLapsed] = useState("");
  const giveUp = (reason: string) => {
    setLapsed(reason);
    setTicket(null);
  };
  return (
    <div className="app-login">
      <Banner />
      <main className="app-login-side">
        <div className="app-login-top">
          <Brand />
          <ThemeControl here={props.url} />
          <LanguageControl here={props.url} />
        </div>
        <div className="app-login-panel">
          {hasForgotten ? (
            <Suspense fallback={null}>
              <ForgotForm onLeave={() => setForgotten(false)} />
            </Suspense>
          ) : ticket !== null ? (
            <CodeForm ticket={ticket} failure={again?.kind === "wrongCode" ? t("code.wrong") : undefined} onLeave={giveUp} />
          ) : (
            <LoginForm failure={lapsed} onForgot={() => setForgotten(true)} onOwed={setTicket} />
          )}
        </div>
      </main>
    </div>
  );
}
