/** What keys do with the rows of lists: j and k move the focus, x ticks the box of its row, Enter opens the record. Loaded at the first. */
import "./row-keys.css";

/** The last row and its address: its place is kept while something else has the focus, and after the way back from its record. */
let last = { address: "", at: -1 };

export function press(key: string, all: Iterable<HTMLElement>): void {
  const rows = [...all].filter((row) => row.checkVisibility());
  const address = location.pathname + location.search;
  const row = document.activeElement?.closest<HTMLElement>("tr");
  const focused = row ? rows.indexOf(row) : -1;
  if (key === "j" || key === "k") {
    const at = focused >= 0 ? focused : last.address === address ? last.at : -1;
    last = { address, at: Math.max(0, Math.min(at + (key === "j" ? 1 : -1), rows.length - 1)) };
    return focus(rows[last.at]);
  }
  const pressed = key === "x" ? row?.querySelector<HTMLElement>(".ll-pick input") : row && opener(row);
  pressed?.click();
}

function focus(row: HTMLElement | undefined): void {
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** The link to the page of a row's record, or the button that shows the record. */
function opener(row: HTMLElement): HTMLElement | null {
  const { opens = "" } = row.closest("table")!.dataset;
  return row.querySelector<HTMLElement>("th a") ?? row.querySelector<HTMLElement>(`.ll-acts > button[value="${opens}"]`);
}
