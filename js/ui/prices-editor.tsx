/**
 * The editor of prices by applicant: a price and a rule set each, in the order in which they are tried. A
 * lazy chunk: it comes with the first form that has one.
 */
import { useEffect, useRef, useState } from "react";

import type { PriceRule, RuleSet } from "../lib/api-types";
import { useLocale, useT } from "../lib/i18n";
import { priceLimits } from "../lib/limits";
import { pricesSentence, wrongPrices } from "../lib/price-rules";
import { Button, IconButton } from "./button";
import { NumberInput } from "./number-input";
import RuleEditor from "./rule-editor";
import { blankCondition } from "./rule-tree";
import { onLeave, type TermsEditorProps, textOf, valueOf, wrongAt } from "./terms-editor";
import "./prices-editor.css";

/** The value of an emptied editor of rules, which the check refuses. */
const NO_RULES: RuleSet = { all: [] };

export default function PricesEditor({ text, onChange, onBlur, labelledBy, describedBy, fixed, tried }: TermsEditorProps) {
  const t = useT();
  const locale = useLocale();
  const prices = valueOf<PriceRule[]>(text) ?? [];
  const frame = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<{ selector: string }>();

  useEffect(() => {
    if (focus) frame.current?.querySelector<HTMLElement>(focus.selector)?.focus();
  }, [focus]);

  const change = (next: readonly PriceRule[]) => onChange(next.length === 0 ? "" : textOf(next));
  const changeOne = (index: number, changes: Partial<PriceRule>) =>
    change(prices.map((price, at) => (at === index ? { ...price, ...changes } : price)));
  const wrong = tried ? wrongPrices(prices, locale) : [];
  const full = wrongAt(wrong, "");
  return (
    <div ref={frame} role="group" aria-labelledby={labelledBy} aria-describedby={describedBy} onBlur={onLeave(onBlur)}>
      <ol className="ll-prices">
        {prices.map(({ rules, priceCents }, index) => {
          const place = String(index + 1);
          const fault = wrongAt(wrong, place);
          const id = `${labelledBy}-price-${place}`;
          return (
            <li key={index} className="ll-price" data-price={place}>
              <div className="ll-rule-head">
                <span id={id}>{t("terms.price", { place })}</span>
                <NumberInput
                  label={t("terms.priceOf", { place })}
                  unit={t("ui.yuan")}
                  money
                  value={priceCents}
                  fixed={fixed}
                  wrong={fault !== undefined}
                  onChange={(value) => changeOne(index, { priceCents: value as number })}
                />
                {!fixed && (
                  <IconButton
                    small
                    icon="trash"
                    label={t("terms.removePrice", { place })}
                    onClick={() => {
                      change(prices.filter((_, at) => at !== index));
                      setFocus({ selector: "[data-add-price]" });
                    }}
                  />
                )}
              </div>
              <RuleEditor
                text={textOf(rules)}
                onChange={(next) => changeOne(index, { rules: valueOf<RuleSet>(next) ?? NO_RULES })}
                onBlur={onBlur}
                labelledBy={id}
                describedBy={undefined}
                fixed={fixed}
                tried={tried}
              />
              {fault && (
                <p className="ll-error" role="alert">
                  {fault}
                </p>
              )}
            </li>
          );
        })}
      </ol>
      {full && (
        <p className="ll-error" role="alert">
          {full}
        </p>
      )}
      {!fixed && (
        <Button
          small
          icon="plus"
          data-add-price=""
          disabled={prices.length >= priceLimits.mostPrices}
          onClick={() => {
            change([...prices, { rules: { all: [blankCondition()] }, priceCents: null as never }]);
            setFocus({ selector: `[data-price="${prices.length + 1}"] input` });
          }}
        >
          {t("terms.addPrice")}
        </Button>
      )}
      <p className="ll-terms-sentence" aria-live="polite">
        {pricesSentence(prices, locale)}
      </p>
    </div>
  );
}
