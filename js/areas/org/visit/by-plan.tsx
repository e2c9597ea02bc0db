/** /org/uv-list2: the visits of organisations, plan by plan. */
import { visitList } from "../../../ui/visit-list";

export default visitList({
  title: "uv.orgPlanTitle",
  api: "/org/uv2",
  points: "org/uv-list2",
  subject: { label: "uv.plan", load: "plans" },
  channels: { label: "uv.channel", load: "channels" },
  orgs: { label: "uv.org", load: "orgs" },
  columns: [
    "orgName",
    "subjectName",
    "day",
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
