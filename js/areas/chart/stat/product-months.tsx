/** /chartMon/product-list2 */
import { statList } from "./list";

export default statList({ api: "/chartMon/product", points: "chartMon/product-list2", by: "product", part: "month" });
