import type { logs as zh } from "../zh-CN/logs";

/** Texts of the audit trail and the login log. */
export const logs = {
  "logs.auditTitle": "Audit trail",
  "logs.auditEmpty": "Every creation, change, deletion, export and reveal is written down here.",
  "logs.loginTitle": "Login log",
  "logs.loginEmpty": "Every attempt to sign in is written down here.",
  "logs.at": "Time",
  "logs.who": "Who",
  "logs.module": "Area",
  "logs.module.channel": "Channels",
  "logs.module.admin": "Administrators",
  "logs.module.audit": "Audit trail",
  "logs.module.loginLog": "Login log",
  "logs.action": "Action",
  "logs.target": "Record",
  "logs.diff": "Changes",
  "logs.view": "Details",
  "logs.entry": "Entry",
  "logs.more": "and {count} more",
  "logs.ip": "IP",
  "logs.request": "Request",
  "logs.result": "Result",
  "logs.result.ok": "Signed in",
  "logs.result.wrong": "Refused",
  "logs.result.confirmed": "Password confirmed",
  "logs.userAgent": "Browser",
} satisfies Record<keyof typeof zh, string>;
