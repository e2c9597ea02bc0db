import type { words as zh } from "./words.zh";

/** Texts of the list of open sessions. */
export const words = {
  "session.title": "Online sessions",
  "session.empty": "Accounts that are logged in and have not expired are listed here.",
  "session.session": "Session",
  "session.current": "This session",
  "session.role": "Active role",
  "session.createdAt": "Logged in",
  "session.lastSeenAt": "Last seen",
  "session.expiresAt": "Expires",
  "session.end": "Log out",
  "session.endTitle": "Log out “{name}”?",
  "session.endText": "Their next action leads to the login page, and unsaved work is lost. To keep them out, disable the account.",
  "session.endManyTitle": "Log out the {count} selected sessions?",
  "session.ended": "Logged out",
  "session.onlyCurrent": "To end your own session, log out",
} satisfies Record<keyof typeof zh, string>;
