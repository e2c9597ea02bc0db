/** Whether a page has no layout and no router: its document is its own, and leaving it loads another document. */
export const isBare = (route: string): boolean => route === "login";
