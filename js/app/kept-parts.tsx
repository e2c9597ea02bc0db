/** Renders the kept parts of pages (lib/kept.tsx) and keeps their HTML, for all roles of an isolate together. */

import type { ReactNode } from "react";
import { renderToString } from "react-dom/server.edge";

import { type App, AppContext } from "../lib/app-context";
import type { PageData, PageProps } from "../lib/types";
import type { Visit } from "../lib/router";
import { VisitContext } from "../lib/visit";

/** The most characters of all parts and their keys: those of a hundred pages. */
const MOST_CHARACTERS = 1_500_000;

/** A part with a load of more choices is made each time: its key would cost as much as its HTML. */
const MOST_CHOICES = 200;

/** Keeps parts, those used last at the end; the others are forgotten when there is no more room. */
export class KeptParts {
  readonly #htmls = new Map<string, string>();
  readonly #room: number;
  #size = 0;
  #roles = 0;

  constructor(room = MOST_CHARACTERS) {
    this.#room = room;
  }

  /** Names a role among those whose parts are kept. */
  nameRole(): string {
    this.#roles += 1;
    return String(this.#roles);
  }

  /** The HTML of a part of a page of a role. */
  keep(role: string, { t, role: data, props }: App, of: readonly unknown[], loads: PageData, make: () => ReactNode): string {
    const render = () => {
      const app: App = { t, role: data, tableMenu: null, props: ownOf(props) };
      return renderToString(
        <AppContext value={app}>
          <VisitContext value={{ data: loads } as Visit}>{make()}</VisitContext>
        </AppContext>,
      );
    };
    if (Object.values(loads).some(({ data }) => Array.isArray(data) && data.length > MOST_CHOICES)) return render();
    const key = JSON.stringify([role, props.today, of, loads]);
    const known = this.#htmls.get(key);
    if (known !== undefined) {
      // To the end.
      this.#htmls.delete(key);
      this.#htmls.set(key, known);
      return known;
    }
    // Written and read again: React's text is a chain of its pieces, which takes several times the memory.
    const html = JSON.parse(JSON.stringify(render())) as string;
    this.#htmls.set(key, html);
    this.#size += key.length + html.length;
    for (const [oldest, { length }] of this.#htmls) {
      if (this.#size <= this.#room) break;
      this.#htmls.delete(oldest);
      this.#size -= oldest.length + length;
    }
    return html;
  }
}

/** Props that no kept part can read: it is made once for all viewers and addresses. */
const CLOSED = Object.fromEntries(
  ["url", "route", "head", "viewer", "menu", "theme", "settings", "data"].map((name) => {
    const get = () => {
      throw new Error(`a kept part reads the page's ${name}`);
    };
    return [name, { get }];
  }),
);

/** The props of a kept part. */
const ownOf = ({ locale, today }: PageProps) => Object.defineProperties({ locale, today }, CLOSED) as PageProps;
