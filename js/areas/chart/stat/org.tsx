/** /chart/org-list */
import { statList } from "./list";

export default statList({ api: "/chart/org", points: "chart/org-list", by: "org", part: "whole" });
