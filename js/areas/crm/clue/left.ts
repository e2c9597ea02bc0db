/** Why clues did not change hands, as one text. */
import type { LeftClue } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";

/** Most clues that are named. */
const MOST = 5;

export const leftText = (left: readonly LeftClue[], t: Translate) =>
  [t("clue.left", { count: left.length }), ...left.slice(0, MOST).map(({ no, reason }) => `${no}: ${reason}`)].join("\n");
