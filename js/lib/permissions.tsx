/**
 * The two rules that hide elements: by the viewer's role and by permission points. An empty list
 * shows the element to everyone. They also run while the server renders, so what a viewer may not
 * see is not in the HTML; the API checks the same points again.
 */

import { useContext, type ReactNode } from "react";
import { AppContext } from "./app-context";

interface RuleProps {
  /** One of these is enough; an empty list is for everyone. */
  any: readonly string[];
  children: ReactNode;
}

/** Shows its children to viewers who have one of the permission points. */
export function IfPoint({ any, children }: RuleProps) {
  return useHasPoint(any) ? children : null;
}

/** Shows its children to viewers in one of the roles. */
export function IfRole({ any, children }: RuleProps) {
  return useHasRole(any) ? children : null;
}

/** Whether the viewer has one of the permission points. */
export function useHasPoint(any: readonly string[]): boolean {
  const points = usePoints();
  return passes(any, (code) => points.has(code));
}

/** Whether the viewer is in one of the roles. */
export function useHasRole(any: readonly string[]): boolean {
  const role = useRole();
  return passes(any, (code) => code === role);
}

/** Codes of all the viewer's permission points. */
export function usePoints(): ReadonlySet<string> {
  return useContext(AppContext).role.points;
}

/** Code of the viewer's active role; empty for a stranger. */
export function useRole(): string {
  return useContext(AppContext).props.viewer?.role ?? "";
}

/** The rule itself. Throws when `any` is no list, since a mistake in the code must not open anything. */
export function passes(any: readonly string[], has: (code: string) => boolean): boolean {
  if (!Array.isArray(any)) throw new TypeError(`need roles! Like any={["admin", "user"]}`);
  return any.length === 0 || any.some(has);
}
