/**
 * Parts of a page whose HTML depends on a few values: the server renders such a part once for a role and keeps it, a browser
 * renders it like any other. Nothing of one viewer is in a part that is kept for their role.
 */
import { type ComponentPropsWithRef, createElement, type ReactNode, useContext } from "react";

import { AppContext } from "./app-context";
import { VisitContext } from "./visit";

type Tag = "div" | "form" | "nav";

type KeptProps<T extends Tag> = Omit<ComponentPropsWithRef<T>, "children"> & {
  as: T;
  /** The part's name and all values that its inside depends on beside the role, the language and the day; null: it is not kept. */
  of: readonly unknown[] | null;
  /** Names of the page's loads that the inside reads. */
  loads?: readonly string[];
  /**
   * Makes the inside. On the server it is rendered apart from the page: without viewer, settings and address, and with no other
   * loads, so that it fails there if it reads what `of` may lack.
   */
  children: () => ReactNode;
};

const NO_LOADS: readonly string[] = [];

export function Kept<T extends Tag>({ as, of, loads = NO_LOADS, children, ...attributes }: KeptProps<T>) {
  const app = useContext(AppContext);
  const { data } = useContext(VisitContext);
  if (!of || !app.keep) return createElement(as, attributes, children());
  const { t, role, keep } = app;
  const { locale, today } = app.props;
  const read = Object.fromEntries(loads.map((name) => [name, data[name]]));
  const html = keep(JSON.stringify([today, of, read]), () => (
    <AppContext value={{ t, role, tableMenu: null, props: { locale, today, viewer: null } as never }}>
      <VisitContext value={{ data: read } as never}>{children()}</VisitContext>
    </AppContext>
  ));
  return createElement(as, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}
