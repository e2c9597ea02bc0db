/** The address of the page in the layout, without its fragment. */

import { useLocation } from "../lib/visit";

export function useHere(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}
