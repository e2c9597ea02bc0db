/** /plan/uv-list: exposures and clicks of plans, by day. */
import { visitList } from "../../../ui/visit-list";

export default visitList({
  title: "uv.planTitle",
  api: "/plan/uv",
  points: "plan/uv-list",
  subject: { label: "uv.plan", load: "plans" },
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
