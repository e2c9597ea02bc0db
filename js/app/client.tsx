/** The browser's entry: hydrates the page that the server has rendered. */

import { startTransition, type ComponentType } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createApp } from "../lib/app-context";
import { isBare } from "../lib/bare";
import { translator, type Messages } from "../lib/i18n";
import { leaveKeysToInputMethods } from "../lib/keys";
import { takeNote } from "../lib/next-page";
import { keepLogin } from "../lib/session";
import { notify } from "../lib/toast";
import type { OwnProps } from "../lib/types";
import type { Open } from "./opened";
import { takeEarlyClick } from "./early-click";
import { Root } from "../shell/root";
import { keepInHistory } from "../ui/back";

const props = JSON.parse(document.getElementById("props")!.textContent) as OwnProps;
// What the document says starts its page. The module of a page in the layout imports the frame, that of the login page does not:
// it needs neither router nor layout.
const pages = linked<{ default: ComponentType }>("page");
const texts = linked<{ texts: Partial<Messages> }>("texts");

/** Starts the document: called by the module of each kind of page, app/frame.tsx and app/bare.tsx. */
export async function startAs(kind: "frame" | "bare", open: Open): Promise<void> {
  // The login page loads the frame for the page that follows it.
  if ((kind === "bare") !== isBare(props.route)) return;
  const { messages, role, tableMenu, tree } = await open(props, {
    pages: (await pages).map((page) => page.default),
    texts: (await texts).map((catalogue) => catalogue.texts),
  });

  if (props.token) keepLogin({ token: props.token, user: props.viewer });
  const t = translator(messages);
  keepInHistory();
  leaveKeysToInputMethods();
  const context = createApp(props, t, role(t), tableMenu);
  const opened = tree(context);
  const app = (
    <Root app={context} onReady={takeEarlyClick()}>
      {opened.below}
    </Root>
  );

  const root = document.getElementById("root")!;
  if (document.documentElement.dataset["render"] === "shell") createRoot(root).render(app);
  else startTransition(() => void hydrateRoot(root, app));

  opened.follow?.();
  const note = takeNote() ?? (props.token ? "login.success" : undefined);
  if (note) notify("success", t(note));
}

/** Loads the modules to which the document links as those that start its page (templates/document.html). */
function linked<Module>(kind: "page" | "texts"): Promise<Module[]> {
  const links = document.querySelectorAll<HTMLLinkElement>(`link[data-start="${kind}"]`);
  return Promise.all(Array.from(links, ({ href }) => import(href) as Promise<Module>));
}
