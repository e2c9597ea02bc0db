/** The origin of the page, for addresses that are copied elsewhere. */
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** The origin of the page; empty in the HTML of the server. */
export const useOrigin = () =>
  useSyncExternalStore(
    never,
    () => location.origin,
    () => "",
  );
