/**
 * Rules for inputs, with their messages in the viewer's language: from the
 * typed text to the value that is sent.
 *
 *     const rule = rules(t);
 *     z.object({ name: rule.text(64), unitPriceCents: rule.money(), remark: rule.optional(500) })
 */
import * as z from "zod/mini";

import { hasUnit, idNo, integer, phone, trimmed } from "../lib/canonical";
import { lengthOf, parseMoney, today } from "../lib/format";
import type { Translate } from "../lib/i18n";
import { parseMoment } from "../lib/moment";

export function rules(t: Translate) {
  const isLonger = (text: string, max: number) => text.length > max && lengthOf(text) > max;
  const tooLong = (text: string, max: number) => new Wrong(t("ui.rule.tooLong", { max, length: lengthOf(text) }));
  const number = (text: string, parse: (text: string) => number | null, min: number, max: number, show: (value: number) => string) => {
    const value = parse(text);
    if (value === null) return new Wrong(t(hasUnit(text) ? "ui.rule.unit" : "ui.rule.number"));
    return value < min || value > max ? new Wrong(t("ui.rule.range", { min: show(min), max: show(max) })) : value;
  };
  const hundredth = (value: number) => String(value / 100);

  return {
    /** A text that must be there, of at most `max` characters; `pattern` with its message narrows it. */
    text: (max: number, pattern?: RegExp, message?: string) =>
      parsed((text) => {
        if (text === "") return new Wrong(t("ui.rule.required"));
        if (isLonger(text, max)) return tooLong(text, max);
        return pattern && !pattern.test(text) ? new Wrong(message ?? t("ui.rule.format")) : text;
      }),
    /** A text that may be missing: then it is empty. */
    note: (max: number) => parsed((text) => (isLonger(text, max) ? tooLong(text, max) : text)),
    /** A text that may be missing: then it is null. */
    optional: (max: number, pattern?: RegExp, message?: string) =>
      parsed((text) => {
        if (text === "") return null;
        if (isLonger(text, max)) return tooLong(text, max);
        return pattern && !pattern.test(text) ? new Wrong(message ?? t("ui.rule.format")) : text;
      }),
    /** A mainland mobile number in its one form. */
    phone: () => parsed((text) => (text === "" ? new Wrong(t("ui.rule.required")) : (phone(text) ?? new Wrong(t("ui.rule.phone"))))),
    /** The same, or null where it is empty. */
    optionalPhone: () => parsed((text) => (text === "" ? null : (phone(text) ?? new Wrong(t("ui.rule.phone"))))),
    /** An identity number in its one form, or the text for the server to refuse, or null where it is empty. */
    optionalIdNo: () => parsed((text) => (text === "" ? null : (idNo(text) ?? text))),
    /** Yuan typed, fen sent. `max` is fen. */
    money: (max = 100_000_000_00) => parsed((text) => number(text || "0", parseMoney, 0, max, hundredth)),
    /** Yuan typed that may be missing, fen sent. The bounds are fen. */
    optionalMoney: (min: number, max: number) => parsed((text) => (text === "" ? null : number(text, parseMoney, min, max, hundredth))),
    /** Per cent typed, basis points sent: 0 to 100 %. */
    percent: () => parsed((text) => number(text || "0", parseMoney, 0, 10_000, hundredth)),
    /** A whole number that must be there. */
    integer: (min: number, max: number) =>
      parsed((text) => (text === "" ? new Wrong(t("ui.rule.required")) : number(text, integer, min, max, String))),
    /** A whole number that may be missing. */
    optionalInteger: (min: number, max: number) => parsed((text) => (text === "" ? null : number(text, integer, min, max, String))),
    /** A moment of Shanghai's clock that must be there; `missing` says so. */
    moment: (missing: string) =>
      parsed((text) => (text === "" ? new Wrong(missing) : (parseMoment(text) ?? new Wrong(t("ui.rule.format"))))),
    /** A moment of Shanghai's clock that may be missing. */
    optionalMoment: () => parsed((text) => (text === "" ? null : (parseMoment(text) ?? new Wrong(t("ui.rule.format"))))),
    /** A day that must be there and not in the past; `past` says so. */
    day: (past: string) =>
      parsed((text) => {
        if (text === "") return new Wrong(t("ui.rule.required"));
        if (!/^\d{4}-\d\d-\d\d$/.test(text)) return new Wrong(t("ui.rule.format"));
        return text < today() ? new Wrong(past) : text;
      }),
    /** One of an enumeration's codes. */
    oneOf: <Code extends string>(codes: readonly Code[]) =>
      parsed((text) => codes.find((code) => code === text) ?? new Wrong(t("ui.rule.choose"))),
    /** A switch. */
    flag: () => parsed((text) => text === "true"),
    /** An id chosen from a select. */
    id: () => parsed((text) => (text === "" ? new Wrong(t("ui.rule.choose")) : Number(text))),
    /** An id chosen from a select, or null. */
    optionalId: () => parsed((text) => (text === "" ? null : Number(text))),
    /** Ids ticked in a group of boxes, at least `min`. */
    ids: (min = 0) =>
      z.pipe(
        z.array(z.string()).check(z.minLength(min, t("ui.rule.choose"))),
        z.transform((ids: string[]) => ids.map(Number)),
      ),
    /** An enumeration's codes ticked in a group of boxes, at least `min`. */
    codes: <Code extends string>(codes: readonly Code[], min = 0) =>
      z.pipe(
        z.array(z.string()).check(z.minLength(min, t("ui.rule.choose"))),
        z.transform((ticked: string[]) => codes.filter((code) => ticked.includes(code))),
      ),
    /** One text a line, each in the given shape once `read` has brought it into one form; empty lines do not count. */
    lines: (max: number, pattern: RegExp, message: (line: string) => string, read = trimmed) =>
      parsed((text) => {
        const lines = text.split("\n").map(read).filter(Boolean);
        const wrong = lines.find((line) => !pattern.test(line));
        if (wrong !== undefined) return new Wrong(message(wrong));
        return lines.length > max ? new Wrong(t("ui.rule.tooMany", { max })) : lines;
      }),
  };
}

/** A text that is trimmed, then parsed; `parse` answers with a value or with what is wrong. */
export const parsed = <Value>(parse: (text: string) => Value | Wrong) =>
  z.pipe(
    z.string(),
    z.transform((typed: string, context) => {
      const value = parse(typed.trim());
      if (!(value instanceof Wrong)) return value;
      context.issues.push({ code: "custom", message: value.message, input: typed });
      return z.NEVER;
    }),
  );

/** What is wrong with an input, in words. */
export class Wrong {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
