/**
 * What people read, written the same by every engine and in every browser: no Intl, no locale of
 * the machine. Times arrive as epoch milliseconds UTC and are shown as Shanghai's clock; money
 * arrives as fen.
 */

import { amount, halfWidth } from "./canonical";
import { clockOf, dateOf, secondsOf } from "./civil";

/** Shown where there is no value. */
export const EMPTY = "-";

/** Shanghai has been eight hours ahead of UTC, without summer time, since 1992. */
const SHANGHAI_MS = 8 * 3600 * 1000;

type Maybe<T> = T | null | undefined;

/** Fen to yuan: 123456 is "1,234.56". */
export function money(fen: Maybe<number>): string {
  if (!isNumber(fen)) return EMPTY;
  const whole = Math.round(Math.abs(fen));
  const cents = whole % 100;
  const yuan = group((whole - cents) / 100);
  return `${fen < 0 && whole > 0 ? "-" : ""}${yuan}.${cents < 10 ? "0" : ""}${cents}`;
}

/** A count with thousands separated: 12345 is "12,345". */
export function count(number: Maybe<number>): string {
  if (!isNumber(number)) return EMPTY;
  const whole = Math.round(number);
  return whole < 0 ? `-${group(-whole)}` : group(whole);
}

/** Basis points to per cent: 1250 is "12.5%". */
export function percent(basisPoints: Maybe<number>): string {
  return isNumber(basisPoints) ? `${Math.round(basisPoints) / 100}%` : EMPTY;
}

/** What is less than this, in pieces or yuan, is no base of a percentage: 1 after 3 is no fall by 67%, and 2 of 3 no rate. */
const LEAST_BASE = 20;

/** Whether a number, or an amount in fen, is too little to be the base of a percentage. */
export function isFew(base: number, isMoney: boolean): boolean {
  return Math.abs(base) < (isMoney ? LEAST_BASE * 100 : LEAST_BASE);
}

/** A rate of so many pieces, as per cent; EMPTY if they are too few. */
export function rateOf(basisPoints: Maybe<number>, base: number): string {
  return isFew(base, false) ? EMPTY : percent(basisPoints);
}

/** The change of a number, or of an amount in fen, in basis points of what it was; null if that was too little. */
export function changeBp(value: number, before: number, isMoney: boolean): number | null {
  return isFew(before, isMoney) ? null : Math.round(((value - before) / Math.abs(before)) * 10_000);
}

/** A part of a number in basis points; null if the number is too little for a percentage. */
export function shareBp(part: number, whole: number): number | null {
  return isFew(whole, false) ? null : Math.round((part / whole) * 10_000);
}

/** A duration of the machine: 0.123 is "0.12 ms", 1234 is "1.23 s". */
export function milliseconds(ms: Maybe<number>): string {
  if (!isNumber(ms)) return EMPTY;
  return ms < 1000 ? `${three(ms)} ms` : `${three(ms / 1000)} s`;
}

/** A size: 5242880 is "5 MB". */
export function bytes(size: Maybe<number>): string {
  if (!isNumber(size)) return EMPTY;
  const units = ["B", "KB", "MB", "GB", "TB"];
  let [value, unit] = [size, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${three(value)} ${units[unit]}`;
}

/** "2026-11-21 17:18:04" in Shanghai. */
export function time(ms: Maybe<number>): string {
  return inShanghai(ms, (at, date) => `${date} ${clockOf(at)}:${secondsOf(at)}`);
}

/** Today in Shanghai, "2026-11-21": for rules, never for a render, which must come out the same later. */
export function today(): string {
  return time(Date.now()).slice(0, 10);
}

/** "2026-11-21 17:18" in Shanghai: for dense tables. */
export function minute(ms: Maybe<number>): string {
  return inShanghai(ms, (at, date) => `${date} ${clockOf(at)}`);
}

/** The Shanghai day of a moment, "2026-11-21". */
export function day(ms: Maybe<number>): string {
  return inShanghai(ms, (_, date) => date);
}

/** The Shanghai day of a moment as "20261121", as signatures want it. */
export function compactDay(ms: number): string {
  return day(ms).replaceAll("-", "");
}

/** A value that may be missing or empty, as text. */
export function text(value: Maybe<string | number>): string {
  return value === null || value === undefined || value === "" ? EMPTY : String(value);
}

/** Yuan as typed ("1,234.5") to fen, or null when that is no amount of money. */
export function parseMoney(typed: string): number | null {
  const text = halfWidth(typed).trim();
  const isNegative = text.startsWith("-");
  const fen = amount(isNegative ? text.slice(1) : text);
  return fen !== null && isNegative ? -fen : fen;
}

/** Fen as a form field holds it: 123456 is "1234.56". */
export function moneyInput(fen: Maybe<number>): string {
  return isNumber(fen) ? money(fen).replaceAll(",", "") : "";
}

/** The same without decimals that are zero: 123400 is "1234". */
export const shortMoney = (fen: Maybe<number>): string => moneyInput(fen).replace(/\.?0+$/, "");

/** A moment as a form field holds it: Shanghai's "2026-11-21 17:18". */
export function momentInput(ms: Maybe<number>): string {
  const shown = minute(ms);
  return shown === EMPTY ? "" : shown;
}

function isNumber(value: Maybe<number>): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** About three digits, no more than two of them decimals. */
function three(value: number): string {
  const factor = value < 10 ? 100 : value < 100 ? 10 : 1;
  return String(Math.round(value * factor) / factor);
}

function group(whole: number): string {
  if (whole < 1000) return String(whole);
  const rest = whole % 1000;
  return `${group((whole - rest) / 1000)},${String(rest).padStart(3, "0")}`;
}

/** Calls `write` with Shanghai's clock time as if it were UTC, and with its date; EMPTY without a moment. */
function inShanghai(ms: Maybe<number>, write: (at: number, date: string) => string): string {
  if (!isNumber(ms)) return EMPTY;
  const date = dateOf(ms + SHANGHAI_MS);
  return date === null ? EMPTY : write(ms + SHANGHAI_MS, date);
}

/** Characters of a text, as the server counts them: an emoji is one. */
export const lengthOf = (text: string): number => [...text].length;
