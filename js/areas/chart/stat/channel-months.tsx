/** /chartMon/channel-list2 */
import { statList } from "./list";

export default statList({ api: "/chartMon/channel", points: "chartMon/channel-list2", by: "channel", part: "month" });
