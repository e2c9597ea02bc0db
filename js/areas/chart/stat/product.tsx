/** /chart/product-list */
import { statList } from "./list";

export default statList({ api: "/chart/product", points: "chart/product-list", by: "product", part: "whole" });
