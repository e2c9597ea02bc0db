/** /channel/uv-list: the visits of channels' landing pages, by day. */
import { visitList } from "../../ui/visit-list";

export default visitList({
  title: "uv.channelTitle",
  api: "/channel/uv",
  points: "channel/uv-list",
  subject: { label: "uv.channel", load: "channels" },
  columns: ["day", "subjectName", "pv", "uv", "costCents", "incomeCents", "marginCents", "|", "subjectCode", "testPv", "testUv", "computedAt"],
});
