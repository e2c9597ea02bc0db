/** The browser's entry: hydrates the page that the server has rendered. */

import { startTransition, type ComponentType } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createApp } from "../lib/app-context";
import { isBare } from "../lib/bare";
import { translator, type Messages } from "../lib/i18n";
import { leaveKeysToInputMethods } from "../lib/keys";
import { takeNote } from "../lib/next-page";
import { setToken } from "../lib/session";
import { notify } from "../lib/toast";
import type { OwnProps } from "../lib/types";
import { takeEarlyClick } from "./early-click";
import { Root } from "../shell/root";
import { keepInHistory } from "../ui/back";

void start(JSON.parse(document.getElementById("props")!.textContent) as OwnProps);

async function start(props: OwnProps): Promise<void> {
  // A part for either kind of page: the login page loads neither router nor layout, and for pages in the layout a slow
  // machine can do other work between the two large parts.
  const [{ open }, pages, texts] = await Promise.all([
    isBare(props.route) ? import("./bare") : import("./frame"),
    linked<{ default: ComponentType }>("page"),
    linked<{ texts: Partial<Messages> }>("texts"),
  ]);
  const { messages, role, tableMenu, tree } = await open(props, {
    pages: pages.map((page) => page.default),
    texts: texts.map((catalogue) => catalogue.texts),
  });

  if (props.token) setToken(props.token);
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
