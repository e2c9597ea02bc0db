import type { setting as zh } from "../zh-CN/setting";

/** Texts of the general settings. */
export const setting = {
  "setting.title": "General settings",
  "setting.intro": "A change counts on every server within a second, and is written to the audit trail.",
  "setting.edit": "Edit",
  "setting.editGroup": "Edit “{name}”",
  "setting.default": "Default",
  "setting.updated": "Changed by {name}, {time}",
  "setting.on": "On",
  "setting.off": "Off",
  "setting.restore": "Restore default: {value}",
  "setting.secretSet": "Set on {time}",
  "setting.secretNone": "Not set",
  "setting.secretKeep": "Set; leave empty to keep it",
  "setting.secretClear": "Clear",
  "setting.httpsOnly": "Enter an address that begins with https://",
  "setting.conflict": "Somebody else has just changed these settings. What you had not touched now has the latest value; check and save again.",
  "setting.saved": "Settings saved",
  "setting.unit.milliseconds": "ms",
  "setting.unit.minutes": "min",
  "setting.unit.hours": "hours",
  "setting.unit.days": "days",
  "setting.unit.times": "times",
  "setting.unit.characters": "characters",
  "setting.unit.rows": "rows",
  "setting.unit.organisations": "organisations",
} satisfies Record<keyof typeof zh, string>;
