/** The login page: slogans on one side, the form on the other. */

import { lazy, Suspense, useState } from "react";
import { Brand } from "../shell/brand";
import { LanguageControl, ThemeControl } from "../shell/controls";
import { Banner } from "./login/banner";
import { LoginForm } from "./login/login-form";

const ForgotForm = lazy(() => import("./login/forgot-form"));

export default function Login() {
  const [hasForgotten, setForgotten] = useState(false);
  return (
    <div className="app-login">
      <Banner />
      <main className="app-login-side">
        <div className="app-login-top">
          <Brand />
          <ThemeControl />
          <LanguageControl />
        </div>
        <div className="app-login-panel">
          {hasForgotten ? (
            <Suspense fallback={null}>
              <ForgotForm onLeave={() => setForgotten(false)} />
            </Suspense>
          ) : (
            <LoginForm onForgot={() => setForgotten(true)} />
          )}
        </div>
      </main>
    </div>
  );
}
