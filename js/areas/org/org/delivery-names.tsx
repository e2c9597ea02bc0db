/** Names of fields at an organisation as a table, and a trial of the settings as they are typed. Loaded with the form. */
import { useState } from "react";

import type { DeliveryField, DeliveryPreview } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { type MessageKey, useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import type { Inputs } from "../../../ui/form";
import type { FormParts } from "../../../ui/form-dialog";
import { FormRefusal } from "../../../ui/form-refusal";
import { Tag } from "../../../ui/tag";
import { linesOf, namesOf, nameInput, valuesOfLines } from "./maps";
import "./delivery-test.css";

/** The conditions on an answer, as the form names them. */
const EXPRESSIONS = ["matchOkExpr", "applyOkExpr", "queryOkExpr", "queryNoneExpr", "knownExpr"] as const;

interface NamesProps {
  parts: FormParts;
  fields: readonly DeliveryField[];
}

/** A row for each of our fields: what it is, an example, and its name there. */
export function NamesTable({ parts, fields }: NamesProps) {
  const t = useT();
  return (
    <section className="ll-form-section mt-4" aria-labelledby="org-api-names">
      <h3 className="ll-form-section-title" id="org-api-names">
        {t("org.api.fieldMap")}
      </h3>
      <p className="ll-hint">{t("org.api.fieldMapHint")}</p>
      <div className="ll-table-box" role="group" aria-labelledby="org-api-names" tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("org.api.ourField")}</th>
              <th scope="col">{t("org.api.theirName")}</th>
              <th scope="col">{t("org.api.example")}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, title, example }) => (
              <tr key={name}>
                <th scope="row">
                  {title}
                  <br />
                  <code className="ll-quiet">{name}</code>
                </th>
                <td>{parts.control(nameInput(name))}</td>
                <td className="ll-mono">{example}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** What is typed, tried: the messages about the invented applicant, and how an answer is read. Nothing is sent to the organisation. */
export function Trial({ inputs, fields }: { inputs: Inputs; fields: readonly string[] }) {
  const t = useT();
  const [answer, setAnswer] = useState("");
  const [tried, setTried] = useState<DeliveryPreview>();
  const [refusal, setRefusal] = useState("");
  const [isBusy, setBusy] = useState(false);

  const run = async () => {
    setBusy(true);
    const body = {
      fieldMap: namesOf(fields, inputs),
      valueMap: valuesOfLines(linesOf(inputs["valueMap"])),
      expressions: Object.fromEntries(EXPRESSIONS.map((name) => [name, String(inputs[name] ?? "")])),
      answer,
    };
    try {
      setTried(await api.post<DeliveryPreview>("/org/api/preview", body, { quiet: true }));
      setRefusal("");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const named = Object.entries(error.fields).map(([name, text]) => `${t(`org.api.${name}` as MessageKey)}: ${text}`);
      setTried(undefined);
      setRefusal(named.join("; ") || error.desc);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section className="ll-form-section mt-4" aria-label={t("org.api.try")}>
      <h3 className="ll-form-section-title">{t("org.api.try")}</h3>
      <div className="ll-field ll-field-wide">
        <label className="ll-label" htmlFor="org-api-answer">
          {t("org.api.answer")}
        </label>
        <textarea
          id="org-api-answer"
          className="ll-input"
          rows={3}
          placeholder={'{"code": "0000"}'}
          value={answer}
          onChange={({ target }) => setAnswer(target.value)}
        />
        <span className="ll-hint">{t("org.api.answerHint")}</span>
      </div>
      <p className="mt-4">
        <Button busy={isBusy} onClick={() => void run()}>
          {t("org.api.tryNow")}
        </Button>
      </p>
      <FormRefusal text={refusal} />
      {tried && (
        <div role="status">
          <div className="org-exchange">
            <figure>
              <figcaption>{t("org.api.question")}</figcaption>
              <pre tabIndex={0}>{tried.question}</pre>
            </figure>
            <figure>
              <figcaption>{t("org.api.application")}</figcaption>
              <pre tabIndex={0}>{tried.application}</pre>
            </figure>
          </div>
          {EXPRESSIONS.map((name) => {
            const isMet = tried.met[name];
            if (isMet === undefined) return null;
            return (
              <p key={name}>
                {t(`org.api.${name}`)} <Tag color={isMet ? "green" : "gray"}>{t(isMet ? "org.api.met" : "org.api.notMet")}</Tag>
              </p>
            );
          })}
        </div>
      )}
    </section>
  );
}
