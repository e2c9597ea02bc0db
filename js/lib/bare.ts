/** Which page stands without the layout, and without the router: a document of its own, which is left by loading another. */
export const isBare = (route: string): boolean => route === "login";
