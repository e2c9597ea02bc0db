/** /chartMon/org-list2 */
import { statList } from "./list";

export default statList({ api: "/chartMon/org", points: "chartMon/org-list2", by: "org", part: "month" });
