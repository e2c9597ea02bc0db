/** Whether scripts run. */
import { useSyncExternalStore } from "react";

/** False on the server and for the first render in the browser, which has to be the same. */
export const useIsHydrated = () => useSyncExternalStore(never, yes, no);

const never = () => () => {};
const yes = () => true;
const no = () => false;
