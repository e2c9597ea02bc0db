import type { workplace as zh } from "../zh-CN/workplace";

/** Texts of the workplace. */
export const workplace = {
  "workplace.morning": "Good morning, {name}",
  "workplace.afternoon": "Good afternoon, {name}",
  "workplace.evening": "Good evening, {name}",
  "workplace.weekday.1": "Monday",
  "workplace.weekday.2": "Tuesday",
  "workplace.weekday.3": "Wednesday",
  "workplace.weekday.4": "Thursday",
  "workplace.weekday.5": "Friday",
  "workplace.weekday.6": "Saturday",
  "workplace.weekday.7": "Sunday",
  "workplace.figures": "To look at today",
  "workplace.newLeads": "new leads not seen yet",
  "workplace.quick": "Shortcuts",
  "workplace.channels": "Add and manage channels",
  "workplace.admins": "Add and manage administrators",
  "workplace.charts": "Data visualisation",
  "workplace.server": "Server status",
  "workplace.audit": "Audit trail",
  "workplace.operations": "Lately changed",
  "workplace.noOperations": "Nothing has been changed yet",
  "workplace.program": "The system",
  "workplace.signIns": "My sign-ins",
  "workplace.noSignIns": "No sign-ins yet",
} satisfies Record<keyof typeof zh, string>;
