/** Rules of fields of cities: apart from the picker, whose lists load no zod. */
import * as z from "zod/mini";

import type { Translate } from "../lib/i18n";

/** The rule of a field of many cities. The server refuses unknown cities and names them. */
export const citiesRule = (t: Translate, max: number) =>
  z.array(z.string()).check(z.refine((cities) => cities.length <= max, { error: t("ui.rule.tooMany", { max }) }));
