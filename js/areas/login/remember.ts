/** "Remember password": the page keeps the user name, and the browser may keep the password. */

const USER_NAME = "login_user";

export function rememberedUserName(): string | null {
  return localStorage.getItem(USER_NAME);
}

/** Keeps the name for the next visit, or removes it. */
export function keepUserName(name: string | null): void {
  if (name === null) localStorage.removeItem(USER_NAME);
  else localStorage.setItem(USER_NAME, name);
}

/** Asks the browser to keep the password, if it has an API for that; other browsers offer it themselves. */
export async function keepPassword(id: string, password: string): Promise<void> {
  const { PasswordCredential } = window as { PasswordCredential?: new (data: { id: string; password: string }) => Credential };
  if (!PasswordCredential) return;
  try {
    await navigator.credentials.store(new PasswordCredential({ id, password }));
  } catch (error) {
    // Refused by policy or in an insecure context; the login itself has succeeded.
    console.info("the browser keeps no password here", error);
  }
}
