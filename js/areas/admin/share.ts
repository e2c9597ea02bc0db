/** What other areas take from administration. */
export { routeText } from "./sms/route";
