/** /chart/channel-list */
import { statList } from "./list";

export default statList({ api: "/chart/channel", points: "chart/channel-list", by: "channel", part: "whole" });
