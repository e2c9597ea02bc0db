// The web globals that the server bundle needs beyond ECMAScript, and no more.
//
// The isolate has no web platform: no network, no timers, no ops. React's server
// renderer and react-router name a few web globals all the same; this file, the
// first import of the server bundle, gives them small synchronous versions. In
// the browser nothing imports it.

/** UTF-8 encoding: react-dom's streaming half makes one while it loads. */
class Utf8Encoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const escaped = encodeURIComponent(wellFormed(text));
    const bytes: number[] = [];
    for (let i = 0; i < escaped.length; i++) {
      if (escaped[i] === "%") {
        bytes.push(Number.parseInt(escaped.slice(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.push(escaped.charCodeAt(i));
      }
    }
    return new Uint8Array(bytes);
  }
}

/** Query parameters in the form encoding of the URL standard. */
class SearchParams {
  #pairs: [string, string][] = [];

  constructor(init?: string | Iterable<readonly [string, string]> | Record<string, string>) {
    if (typeof init === "string") {
      const query = init.startsWith("?") ? init.slice(1) : init;
      for (const part of query.split("&")) {
        if (part === "") continue;
        const at = part.indexOf("=");
        this.#pairs.push(at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
      }
    } else if (init) {
      const pairs = Symbol.iterator in init ? init : Object.entries(init);
      for (const [name, value] of pairs as Iterable<readonly [string, string]>) {
        this.#pairs.push([String(name), String(value)]);
      }
    }
  }

  get size(): number {
    return this.#pairs.length;
  }
  get(name: string): string | null {
    return this.#pairs.find((pair) => pair[0] === name)?.[1] ?? null;
  }
  getAll(name: string): string[] {
    return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]);
  }
  has(name: string): boolean {
    return this.#pairs.some((pair) => pair[0] === name);
  }
  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)]);
  }
  delete(name: string): void {
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== name);
  }
  set(name: string, value: string): void {
    const at = this.#pairs.findIndex((pair) => pair[0] === name);
    if (at < 0) {
      this.append(name, value);
    } else {
      this.#pairs = this.#pairs.filter((pair, i) => i <= at || pair[0] !== name);
      this.#pairs[at] = [String(name), String(value)];
    }
  }
  sort(): void {
    this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  }
  forEach(visit: (value: string, name: string, params: SearchParams) => void): void {
    for (const [name, value] of this.#pairs) visit(value, name, this);
  }
  *keys(): IterableIterator<string> {
    for (const pair of this.#pairs) yield pair[0];
  }
  *values(): IterableIterator<string> {
    for (const pair of this.#pairs) yield pair[1];
  }
  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  }
}

const ABSOLUTE = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const RELATIVE = /^([^?#]*)(\?[^#]*)?(#.*)?$/;

/** The parts of an address that a router reads. Knows hierarchical addresses only. */
class Address {
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly searchParams: SearchParams;

  constructor(input: string | Address, base?: string | Address) {
    const text = String(input);
    const absolute = ABSOLUTE.exec(text);
    if (absolute) {
      [this.protocol, this.host] = [absolute[1]!.toLowerCase(), absolute[2]!];
      this.pathname = withoutDots(absolute[3] || "/");
      [this.search, this.hash] = [bare(absolute[4]), bare(absolute[5])];
    } else {
      if (base === undefined) throw new TypeError(`Invalid URL: ${text}`);
      const from = new Address(base);
      const [, path, search, hash] = RELATIVE.exec(text) ?? [];
      [this.protocol, this.host] = [from.protocol, from.host];
      this.pathname = path ? withoutDots(path.startsWith("/") ? path : from.pathname.replace(/[^/]*$/, path)) : from.pathname;
      this.search = path || search !== undefined ? bare(search) : from.search;
      this.hash = bare(hash);
    }
    this.searchParams = new SearchParams(this.search);
  }

  get origin(): string {
    return `${this.protocol}//${this.host}`;
  }
  get hostname(): string {
    return this.host.replace(/:\d*$/, "");
  }
  get href(): string {
    return this.origin + this.pathname + this.search + this.hash;
  }
  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }
}

/** A search or hash that is only its own mark counts as absent. */
function bare(part: string | undefined): string {
  return part === undefined || part.length === 1 ? "" : part;
}

function withoutDots(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const parts = path.split("/").slice(1);
  parts.forEach((part, i) => {
    const last = i === parts.length - 1;
    if (part === "..") kept.pop();
    if (part !== "." && part !== "..") kept.push(part);
    else if (last) kept.push("");
  });
  return "/" + kept.join("/");
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // a stray % is text and must not make the page fail
  }
}

function encode(text: string): string {
  return encodeURIComponent(wellFormed(text))
    .replaceAll("%20", "+")
    .replace(/[!'()~]/g, (char) => "%" + char.charCodeAt(0).toString(16).toUpperCase());
}

/** Replaces half surrogate pairs, for which `encodeURIComponent` throws. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (unit) => (unit.length === 2 ? unit : "\uFFFD"));
}

/** Libraries name it, but a synchronous render must not call it. */
function setTimeout(): never {
  throw new Error("a render has no timers: it is one synchronous function of its props");
}

const surroundings = { TextEncoder: Utf8Encoder, URL: Address, URLSearchParams: SearchParams, setTimeout };
for (const [name, value] of Object.entries(surroundings)) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

export {};
