/** /channel/uv-list: the visits of channels' landing pages and what became of their applicants, by day. */
import { visitList } from "../../../ui/visit-list";

export default visitList({
  title: "uv.channelTitle",
  api: "/channel/uv",
  points: "channel/uv-list",
  subject: { label: "uv.channel", load: "channels" },
  columns: [
    "day",
    "subjectName",
    "pv",
    "uv",
    "registered",
    "applied",
    "matched",
    "sold",
    "costCents",
    "incomeCents",
    "marginCents",
    "|",
    "subjectCode",
    "returned",
    "testPv",
    "testUv",
    "computedAt",
  ],
});
