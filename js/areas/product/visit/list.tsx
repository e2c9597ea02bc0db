/** /product/uv-list: exposures and clicks of products, by day. */
import { visitList } from "../../../ui/visit-list";

export default visitList({
  title: "uv.productTitle",
  api: "/product/uv",
  points: "product/uv-list",
  subject: { label: "uv.product", load: "products" },
  channels: { label: "uv.channel", load: "channels" },
  orgs: { label: "uv.org", load: "orgs" },
  columns: [
    "day",
    "subjectName",
    "orgName",
    "exposurePv",
    "exposureUv",
    "pv",
    "uv",
    "clickBp",
    "sold",
    "incomeCents",
    "|",
    "subjectCode",
    "returned",
    "testPv",
    "testUv",
    "computedAt",
  ],
});
