/**
 * Parts of a page whose HTML depends on a few values: the server renders such a part once for a role and keeps it
 * (app/kept-parts.tsx), a browser renders it like any other.
 */
import { type ComponentPropsWithRef, createElement, type ReactNode, useContext } from "react";

import { AppContext } from "./app-context";
import { VisitContext } from "./visit";

type Tag = "div" | "form" | "nav";

type KeptProps<T extends Tag> = Omit<ComponentPropsWithRef<T>, "children"> & {
  as: T;
  /**
   * The part's name and all values that its inside depends on beside the role, the language and the day. Nothing of one viewer
   * may be among them.
   */
  of: readonly unknown[];
  /** The inside depends on the address too: the part is kept on pages without a search, of no record, that have an address. */
  ofAddress?: boolean;
  /** Names of the page's loads that the inside reads. */
  loads?: readonly string[];
  /**
   * Makes the inside. On the server its components get no viewer, settings and address and no other loads: they throw if they
   * read them. What this function itself uses must be in `of`.
   */
  children: () => ReactNode;
};

const NO_LOADS: readonly string[] = [];

export function Kept<T extends Tag>({ as, of, ofAddress, loads = NO_LOADS, children, ...attributes }: KeptProps<T>) {
  const { keep } = useContext(AppContext);
  const { data, head, location } = useContext(VisitContext);
  const isOwn = ofAddress && (location.search || head.recordTitle || head.isSpecial);
  if (!keep || isOwn) return createElement(as, attributes, children());
  const html = keep(of, Object.fromEntries(loads.map((name) => [name, data[name]!])), children);
  return createElement(as, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}
