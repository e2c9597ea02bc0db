/** /chart/system-list */
import { statList } from "./list";

export default statList({ api: "/chart/system", points: "chart/system-list", by: "system", part: "whole" });
