// The web globals that the server bundle needs beyond ECMAScript, and no more.
//
// The isolate has no web platform: no network, no timers, no ops. React's server
// renderer and some pages name a few web globals all the same; this file, the
// first import of the server bundle, gives them small synchronous versions. In
// the browser nothing imports it.

/** UTF-8 encoding: forms measure texts in bytes. */
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

/** Replaces half surrogate pairs, for which `encodeURIComponent` throws. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (unit) => (unit.length === 2 ? unit : "\uFFFD"));
}

/** Libraries name it, but a synchronous render must not call it. */
function setTimeout(): never {
  throw new Error("a render has no timers: it is one synchronous function of its props");
}

const surroundings = { TextEncoder: Utf8Encoder, setTimeout };
for (const [name, value] of Object.entries(surroundings)) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

export {};
