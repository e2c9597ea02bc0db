/** What is wrong with terms, and where: places count from 1, `2.1` is the first part of the second; empty for the whole. */
import type { Locale } from "./types";

export interface Wrong {
  place: string;
  message: string;
}

/** One of two texts, Chinese first. */
export type Pick = (chinese: string, english: string) => string;

export function picker(locale: Locale): Pick {
  return (chinese, english) => (locale === "zh-CN" ? chinese : english);
}

/** A few faults as one message. */
export function wrongText(wrong: readonly Wrong[], locale: Locale): string {
  const pick = picker(locale);
  return wrong
    .slice(0, 5)
    .map(({ place, message }) => (place === "" ? message : pick(`第 ${place} 项：${message}`, `No. ${place}: ${message}`)))
    .join(pick("；", "; "));
}
