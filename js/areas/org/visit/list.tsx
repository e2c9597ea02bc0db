/** /org/uv-list: the visits of organisations' products and plans, by day. */
import { visitList } from "../../../ui/visit-list";

export default visitList({
  title: "uv.orgTitle",
  api: "/org/uv",
  points: "org/uv-list",
  subject: { label: "uv.org", load: "orgs" },
  channels: { label: "uv.channel", load: "channels" },
  columns: [
    "day",
    "subjectName",
    "exposurePv",
    "exposureUv",
    "pv",
    "uv",
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
