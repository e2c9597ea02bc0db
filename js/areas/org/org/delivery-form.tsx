/** The API delivery settings of an organisation, shown and edited. A lazy chunk. */
import * as z from "zod/mini";

import type { DeliveryField, OrgApi } from "../../../lib/api-types";
import { deliveryStatusCodes, orgCryptoCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import { minute } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { deliveryLimits, fieldLimits, rotationLimits } from "../../../lib/limits";
import { Dialog } from "../../../ui/dialog";
import { labelOf } from "../../../ui/field";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { Delivery } from "./delivery";
import { NamesTable, Trial } from "./delivery-names";
import { FIELD_NAME, isNameInput, linesOfValues, nameInput, namesOf, VALUE_LINE, valuesOfLines } from "./maps";

const HTTPS = /^https:\/\/\S+$/i;
/** Hours for which the previous key stays valid by default. */
const OVERLAP_HOURS = 24;

interface Shown {
  overlay: Overlay;
  title: string;
  settings: OrgApi;
}

/** Shows the settings; of the keys only their fingerprints. */
export function showDelivery({ overlay, title, settings }: Shown) {
  return (
    <Dialog overlay={overlay} title={title} shape="drawer">
      <div className="ll-dialog-body">
        <Delivery settings={settings} />
      </div>
    </Dialog>
  );
}

const sealed = ({ crypto }: Inputs) => crypto !== "none";

/** The fields above and below the table of names. */
const ABOVE = ["status", "crypto", "matchUrl", "applyUrl", "queryUrl", "key", "overlapHours"];
const BELOW = ["valueMap", "matchOkExpr", "applyOkExpr", "queryOkExpr", "queryNoneExpr", "knownExpr", "timeoutMs", "retryMax"];

function deliveryForm(t: Translate, { keys, proposed }: OrgApi, sent: readonly DeliveryField[]) {
  const rule = rules(t);
  const codes = (labels: string, all: readonly string[]) => all.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const url = () => rule.optional(fieldLimits.address, HTTPS, t("org.api.urlWrong"));
  const schema = z.object({
    status: rule.oneOf(deliveryStatusCodes),
    matchUrl: url(),
    applyUrl: url(),
    queryUrl: url(),
    crypto: rule.oneOf(orgCryptoCodes),
    key: rule.optional(deliveryLimits.key),
    overlapHours: rule.integer(0, rotationLimits.longestOverlap),
    valueMap: rule.lines(500, VALUE_LINE, (line) => t("org.api.lineWrong", { line })),
    matchOkExpr: rule.note(deliveryLimits.expression),
    applyOkExpr: rule.note(deliveryLimits.expression),
    queryOkExpr: rule.note(deliveryLimits.expression),
    queryNoneExpr: rule.note(deliveryLimits.expression),
    knownExpr: rule.note(deliveryLimits.expression),
    timeoutMs: rule.integer(deliveryLimits.leastTimeout, deliveryLimits.mostTimeout),
    retryMax: rule.integer(0, deliveryLimits.mostRetries),
  });
  const names = z.object(
    Object.fromEntries(sent.map(({ name }) => [nameInput(name), rule.optional(64, FIELD_NAME, t("org.api.nameWrong"))])),
  );
  const whole = z.intersection(schema, names);
  const inUse = keys.find(({ validUntil }) => validUntil === null);
  // An empty field keeps this key: the proposed one if there is one, else the one in use.
  const kept = proposed?.keys.find(({ isProposed }) => isProposed) ?? inUse;
  const address = { kind: "text", type: "url", wide: true, placeholder: "https://" } as const;
  const form: Form<z.output<typeof whole>> = {
    schema: whole,
    fields: [
      {
        name: "status",
        label: "org.api.status",
        kind: "select",
        required: true,
        choices: codes("DeliveryStatus", deliveryStatusCodes),
        hint: "org.api.statusHint",
      },
      { name: "crypto", label: "org.api.crypto", kind: "select", required: true, choices: codes("OrgCrypto", orgCryptoCodes) },
      { name: "matchUrl", label: "org.api.matchUrl", ...address },
      { name: "applyUrl", label: "org.api.applyUrl", ...address },
      { name: "queryUrl", label: "org.api.queryUrl", ...address },
      {
        name: "key",
        label: "org.api.key",
        kind: "area",
        secret: true,
        wide: true,
        hint: kept?.isProposed ? "org.api.keyHintProposed" : "org.api.keyHint",
        when: sealed,
        placeholder:
          kept &&
          t(kept.isProposed ? "org.api.keyProposed" : "org.api.keyNow", { fingerprint: kept.fingerprint, from: minute(kept.addedAt) }),
      },
      {
        name: "overlapHours",
        label: "org.api.overlapHours",
        kind: "integer",
        unit: "org.api.hours",
        hint: "org.api.overlapHint",
        when: sealed,
      },
      ...sent.map(({ name, title }) => ({
        name: nameInput(name),
        label: "org.api.theirName" as const,
        text: t("org.api.nameOf", { field: title }),
        kind: "text" as const,
        bare: true,
      })),
      { name: "valueMap", label: "org.api.valueMap", kind: "lines", wide: true, hint: "org.api.valueMapHint" },
      { name: "matchOkExpr", label: "org.api.matchOkExpr", kind: "text", wide: true, hint: "org.api.exprHint" },
      { name: "applyOkExpr", label: "org.api.applyOkExpr", kind: "text", wide: true },
      { name: "queryOkExpr", label: "org.api.queryOkExpr", kind: "text", wide: true, hint: "org.api.queryHint" },
      { name: "queryNoneExpr", label: "org.api.queryNoneExpr", kind: "text", wide: true },
      { name: "knownExpr", label: "org.api.knownExpr", kind: "text", wide: true, hint: "org.api.knownHint" },
      { name: "timeoutMs", label: "org.api.timeoutMs", kind: "integer" },
      { name: "retryMax", label: "org.api.retryMax", kind: "integer" },
    ],
  };
  return form;
}

/** Hours for which the key in use would stay beside the proposed one. */
function overlapOf({ crypto, proposed }: OrgApi): number {
  const inUse =
    proposed?.crypto === crypto ? proposed.keys.find(({ isProposed, validUntil }) => !isProposed && validUntil === null) : undefined;
  return inUse?.overlapHours ?? OVERLAP_HOURS;
}

interface DeliveryDialog {
  overlay: Overlay<OrgApi>;
  t: Translate;
  name: string;
  settings: OrgApi;
  /** All fields that can be sent. */
  fields: readonly DeliveryField[];
}

/** The dialog of the settings; it closes with them as they were saved. */
export function deliveryDialog({ overlay, t, name, settings, fields }: DeliveryDialog) {
  const named = fields.map((field) => field.name);
  return (
    <FormDialog
      overlay={overlay}
      title={t("org.api.title", { name })}
      draft="org.api"
      note={t("org.api.note")}
      form={deliveryForm(t, settings, fields)}
      layout={(parts) => (
        <>
          <div className="ll-fields">{ABOVE.map(parts.control)}</div>
          <NamesTable parts={parts} fields={fields} />
          <div className="ll-fields mt-4">{BELOW.map(parts.control)}</div>
          <Trial inputs={parts.inputs} fields={named} />
        </>
      )}
      record={settings}
      valuesOf={(now) => {
        // Open proposals stay proposed unless they are changed here.
        const wanted = now.proposed ?? now;
        return {
          ...wanted,
          key: null,
          overlapHours: overlapOf(now),
          ...Object.fromEntries(named.map((field) => [nameInput(field), wanted.fieldMap[field] ?? ""])),
          valueMap: linesOfValues(wanted.valueMap),
        };
      }}
      save={(values, { id, version }) => {
        const { key, valueMap, ...rest } = values;
        return api.put<OrgApi>("/org/api", {
          ...Object.fromEntries(Object.entries(rest).filter(([input]) => !isNameInput(input))),
          id,
          version,
          key: values.crypto === "none" ? null : key,
          fieldMap: namesOf(named, values),
          valueMap: valuesOfLines(valueMap),
        });
      }}
    />
  );
}
