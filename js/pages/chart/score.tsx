/** /chart/score-list */
import { statList } from "./stat-list";

export default statList({ api: "/chart/score", points: "chart/score-list", by: "score", part: "whole" });
