/** /chartMon/system-list2 */
import { statList } from "./list";

export default statList({ api: "/chartMon/system", points: "chartMon/system-list2", by: "system", part: "month" });
