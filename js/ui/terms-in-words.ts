/** Fields of terms whose words are in the page's own code: the server renders them, where other pages load them later. */
import { EMPTY } from "../lib/format";
import type { Translate } from "../lib/i18n";
import { type Field, fieldText, isTerms } from "./field";
import { termsField } from "./form-terms";

export function termsInWords<Row>(fields: readonly Field<Row>[]): readonly Field<Row>[] {
  return fields.map((field): Field<Row> => {
    const { kind, key } = field;
    if (!isTerms(kind)) return field;
    const show = (row: Row, t: Translate) => (fieldText(field, row[key], t) === EMPTY ? EMPTY : termsField[kind].words(row[key], t));
    return { ...field, show };
  });
}
