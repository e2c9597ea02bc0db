import type { session as zh } from "../zh-CN/session";

/** Texts of the list of open sessions. */
export const session = {
  "session.title": "Online sessions",
  "session.empty": "Whoever has signed in, has not signed out and has not expired is listed here.",
  "session.session": "Session",
  "session.current": "This session",
  "session.role": "Active role",
  "session.createdAt": "Signed in",
  "session.lastSeenAt": "Last seen",
  "session.expiresAt": "Expires",
  "session.end": "Sign out",
  "session.endTitle": "Sign “{name}” out?",
  "session.endText": "Their next action leads to the sign-in page, and unsaved work is lost. To keep them out, disable the account.",
  "session.endManyTitle": "Sign the {count} selected sessions out?",
  "session.ended": "Signed out",
  "session.onlyCurrent": "Your current session ends by signing out",
} satisfies Record<keyof typeof zh, string>;
