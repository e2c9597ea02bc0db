// Reloads the open page when `build.mjs --watch` has written another front end. That build alone
// puts this file into the client.

const EVERY_MS = 300;
const EDITION = "/assets/edition.json";

let first: string | undefined;

setInterval(async () => {
  const answer = await fetch(EDITION).catch(() => undefined);
  // The server is being restarted.
  if (!answer?.ok) return;
  const edition = await answer.text();
  first ??= edition;
  if (edition !== first) location.reload();
}, EVERY_MS);
