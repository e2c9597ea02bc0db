/** /plan/bgList: single exposures of plans. */
import type { ExposureRow, VisitorSystem } from "../../../lib/api-types";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { ListPage } from "../../../ui/list-page";

const systems: readonly VisitorSystem[] = ["ios", "android", "wechat", "other"];

export const fields: readonly Field<ExposureRow>[] = [
  { key: "shownAt", title: "uv.shownAt", kind: "time", sort: true },
  { key: "planName", title: "uv.plan" },
  { key: "orgName", title: "uv.org", list: "hidden" },
  { key: "productName", title: "uv.product", list: "hidden" },
  { key: "channelName", title: "uv.channel", short: true },
  { key: "visitor", title: "uv.visitor", kind: "code" },
  { key: "system", title: "uv.system", kind: "enum", labels: "uv.system", list: "hidden" },
  { key: "position", title: "uv.position", kind: "count", list: "hidden" },
  { key: "pvCount", title: "uv.exposurePv", kind: "count", total: true },
  { key: "visitors", title: "uv.exposureUv", kind: "count", total: true },
  { key: "clicks", title: "uv.clicks", kind: "count", total: true },
  { key: "clickedAt", title: "uv.clickedAt", kind: "time" },
  { key: "appliedAt", title: "uv.appliedAt", kind: "time", list: "hidden" },
  { key: "planNo", title: "uv.planNo", kind: "code", list: "hidden" },
  { key: "clientIp", title: "uv.clientIp", kind: "code", list: "hidden" },
  { key: "test", title: "uv.test", kind: "flag", list: "hidden" },
];

const filters: readonly Filter[] = [
  { name: "day", label: "uv.day", kind: "days" },
  { name: "planId", label: "uv.plan", kind: "select", options: { load: "plans", search: "/plan/options" } },
  { name: "channelId", label: "uv.channel", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "orgId", label: "uv.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "system", label: "uv.system", kind: "select", options: { codes: systems, labels: "uv.system" } },
  { name: "clicked", label: "uv.clickedOnly", kind: "select", options: { codes: ["yes"], labels: "uv.clicked" } },
  { name: "applied", label: "uv.appliedOnly", kind: "select", options: { codes: ["yes"], labels: "uv.applied" } },
  { name: "test", label: "uv.test", kind: "select", options: { codes: ["no", "yes"], labels: "uv.test" } },
];

export default function PlanExposureList() {
  return (
    <ListPage
      title="uv.exposureTitle"
      empty="uv.exposureEmpty"
      api="/plan/exposure"
      points="plan/bgList"
      fields={fields}
      filters={filters}
    />
  );
}
