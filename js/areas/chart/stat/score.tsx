/** /chart/score-list */
import { statList } from "./list";

export default statList({ api: "/chart/score", points: "chart/score-list", by: "score", part: "whole" });
