/** The path of the page whose link led here, from the state of the location; null when it came from outside the application. */
export function cameFrom(state: unknown): string | null {
  const { from } = (state ?? {}) as { from?: unknown };
  return typeof from === "string" ? from.split("?")[0]! : null;
}
