/** /chart/org-d2d-list */
import { statList } from "./list";

export default statList({ api: "/chart/orgD2d", points: "chart/org-d2d-list", by: "org", part: "day" });
