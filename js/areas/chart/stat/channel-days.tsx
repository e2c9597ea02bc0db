/** /chart/channel-d2d-list */
import { statList } from "./list";

export default statList({ api: "/chart/channelD2d", points: "chart/channel-d2d-list", by: "channel", part: "day" });
