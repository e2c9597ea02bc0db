/** One form for phones, identity numbers, amounts and codes, however people write them: the rules of `crates/base/src/canonical.rs`. */

const DASHES = /[-\u2010-\u2015\u2212\ufe58\ufe63]/g;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu;
const EDGES = /^[\s\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+|[\s\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+$/gu;

/** A text with full-width letters, digits, punctuation and blanks in plain width. */
export function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0)).replaceAll("\u3000", " ");
}

/** The ASCII digit of a decimal digit of any script. Unicode has them in runs of ten; some runs follow one another directly. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0)!;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}

/** In plain width, with ASCII digits, without blanks, invisible characters and dashes: a one-time code as it is compared. */
export function joined(text: string): string {
  return halfWidth(text)
    .replace(/\s/g, "")
    .replace(INVISIBLE, "")
    .replace(DASHES, "")
    .replace(/(?!\d)\p{Nd}/gu, asciiDigit);
}

/** Without the signs that mark a number as a text in spreadsheets: `'139…`, `` `139… ``, `="139…"`. */
function unquoted(text: string): string {
  const bare = trimmed(halfWidth(text));
  return /^="(.*)"$/s.exec(bare)?.[1] ?? bare.replace(/^['`‘’]/, "");
}

/** A mainland mobile number as eleven digits, or null if the text is none: with one point in it, it is an amount. */
export function phone(text: string): string | null {
  const written = joined(unquoted(text).replace(/[.。]+$/, ""));
  if (written.split(".").length === 2) return null;
  const digits = written.replace(/[.·()[\]]/g, "");
  const local = /^(?:\+86|0086|86)?(1\d{10})$/.exec(digits);
  return local?.[1] ?? null;
}

/** An identity number's seventeen digits and check character, or null where the text has not this shape. */
export function idNo(text: string): string | null {
  const letters = joined(unquoted(text)).toUpperCase();
  return /^\d{17}[\dX]$/.test(letters) ? letters : null;
}

/** A number on paper that has neither blanks nor dashes nor small letters: of an invoice, of a bank account, of a taxpayer. */
export function code(text: string): string {
  return joined(unquoted(text)).toUpperCase();
}

/** A text without blanks and invisible characters around it; its inside stays the same. */
export function trimmed(text: string): string {
  return text.replace(EDGES, "");
}

/** Without invisible characters anywhere and without blanks around it. */
export function visible(text: string): string {
  return trimmed(text).replace(INVISIBLE, "");
}

/** A whole number (`5000`, `5000.0`, `5,000`, `5 000`, either width), or null. */
export function integer(text: string): number | null {
  const plain = visible(halfWidth(text)).replace(/\.0+$/, "");
  return /^-?(?:\d{1,15}|\d{1,3}(?:[,\s]\d{3}){1,4})$/.test(plain) ? Number(plain.replace(/[,\s]/g, "")) : null;
}

/** Whether an amount is written with a unit such as 万, which is refused with words of its own. */
export function hasUnit(text: string): boolean {
  return /^\d[\d.,\s]*[万萬亿千百wk]/i.test(
    halfWidth(text)
      .trim()
      .replace(/^¥|^￥/, ""),
  );
}

/** Fen, of yuan with at most two decimals (`5000`, `¥5,000.00`, `5 000元`, `.5`, either width), or null. */
export function amount(text: string): number | null {
  const plain = halfWidth(text).replaceAll("￥", "¥").replaceAll("。", ".").replace(INVISIBLE, "").trim();
  const bare = plain
    .replace(/^(?:¥|人民币|RMB|CNY)/, "")
    .trim()
    .replace(/(?:元整|圆整|元|圆)$/, "")
    .trim();
  const parts = /^(\d*|\d{1,3}(?:[,\s]\d{3})+)(?:\.(\d{0,2}))?$/.exec(bare);
  if (!parts || (!parts[1] && !parts[2])) return null;
  const yuan = (parts[1] ?? "").replace(/[,\s]/g, "").replace(/^0+(?=\d)/, "");
  return yuan.length > 12 ? null : Number(yuan || "0") * 100 + Number((parts[2] ?? "").padEnd(2, "0"));
}
