/**
 * The types of texts. The Chinese texts are the set of keys: each file of them adds its own to `Texts`, so that nothing
 * here imports a text.
 */

/** Every Chinese text: each `words.zh.ts` adds its keys, and `js/locales/keys.d.ts` those that Rust has too. */
export interface Texts {}

/** Every key there is a text for. */
export type MessageKey = keyof Texts;

/** All texts in one language. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** Looks a text up and fills `{name}` places from `params`. */
export type Translate = (key: MessageKey, params?: Readonly<Record<string, string | number>>) => string;
