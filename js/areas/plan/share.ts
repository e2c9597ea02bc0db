/** What other areas take from plans, pushes and returns. */
export { PlanLink, PlanLinks } from "./plan/link";
export { pushStatusColors, returnStatusColors } from "./push/fields";
export { PushTries } from "./push/tries";
export { Verdicts } from "./push/verdicts";
export { ReturnDetails } from "./return/details";

/** The forms of a return. */
export const loadReturnForm = () => import("./return/form");
