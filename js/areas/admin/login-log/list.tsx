/** /admin/login-log: who signed in, or tried to. */
import type { LoginRow } from "../../../lib/api-types";
import { loginResultCodes } from "../../../lib/codes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { ListPage } from "../../../ui/list-page";
import { loginResultColors } from "./colors";

export const fields: readonly Field<LoginRow>[] = [
  { key: "at", title: "logs.at", kind: "time", sort: true },
  { key: "username", title: "admin.username" },
  { key: "adminName", title: "admin.realName" },
  {
    key: "result",
    title: "logs.result",
    kind: "enum",
    labels: "LoginResult",
    colors: loginResultColors,
  },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "browser", title: "logs.browser" },
  { key: "os", title: "logs.os" },
  { key: "userAgent", title: "logs.userAgent", list: "hidden" },
];

const filters: readonly Filter[] = [
  { name: "keyword", label: "admin.keyword", kind: "text", placeholder: "admin.keywordHint" },
  { name: "result", label: "logs.result", kind: "select", options: { codes: loginResultCodes, labels: "LoginResult" } },
  { name: "at", label: "logs.at", kind: "days" },
  { name: "ip", label: "logs.ip", kind: "text" },
];

export default function LoginLog() {
  return (
    <ListPage title="logs.loginTitle" empty="logs.loginEmpty" api="/loginLog" points="admin/login-log" fields={fields} filters={filters} />
  );
}
