/**
 * The types of texts. The Chinese catalogue is the set of keys: it declares itself as `Texts`, so that nothing here
 * imports a catalogue.
 */

/** The Chinese catalogue, which adds its keys (js/locales/zh-CN/index.ts). */
export interface Texts {}

/** Every key there is a text for. */
export type MessageKey = keyof Texts;

/** A whole catalogue in one language. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** Looks a text up and fills `{name}` places from `params`. */
export type Translate = (key: MessageKey, params?: Readonly<Record<string, string | number>>) => string;
