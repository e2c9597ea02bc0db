import type { words as zh } from "./words.zh";

/** Texts of service groups. */
export const words = {
  "chatGroup.title": "Service groups",
  "chatGroup.empty": "Groups share conversations among their agents, within their working hours.",
  "chatGroup.create": "New group",
  "chatGroup.edit": "Edit group",
  "chatGroup.editAction": "Edit",
  "chatGroup.keyword": "Keyword",
  "chatGroup.keywordHint": "Group name",
  "chatGroup.always": "Always open",
  "chatGroup.never": "Never",
  "chatGroup.hoursHint": "Empty: always open. Outside these hours customers can leave messages and get the off-hours reply",
  "chatGroup.idleHint": "Closed after this long without a message once the customer was answered; 0: never",
  "chatGroup.frameSitesHint":
    "Sites that may show the chat in their pages, one a line, such as https://www.example.com. Empty: this site alone",
  "chatGroup.notSite": "“{site}” is not the address of a site, such as https://www.example.com",
  "chatGroup.noSites": "This site alone",
  "chatGroup.sortHint": "Lower numbers come first",
  "chatGroup.assignHint": "Manual: agents pick from the queue",
  "chatGroup.enable": "Enable",
  "chatGroup.disable": "Disable",
  "chatGroup.disableTitle": "Disable the group “{name}”?",
  "chatGroup.disableText": "It takes no new conversations. Those that it has go on.",
  "chatGroup.delete": "Delete",
  "chatGroup.deleteTitle": "Delete the group “{name}”?",
  "chatGroup.deleteText": "A group that has agents, conversations or replies cannot be deleted.",
  "chatGroup.created": "Group added",
  "chatGroup.saved": "Group saved",
  "chatGroup.enabled": "Group enabled",
  "chatGroup.disabled": "Group disabled",
  "chatGroup.deleted": "Group deleted",
  "chatGroup.entry": "How visitors get here",
  "chatGroup.pageAddress": "Address of the visitor page",
  "chatGroup.snippet": "Embed code",
  "chatGroup.snippetHint":
    "Put the code before </body>: a chat button appears at the bottom right of the page. It works on the sites that the group names under “Sites that may embed”.",
} satisfies Record<keyof typeof zh, string>;
