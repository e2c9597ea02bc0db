/** An agreement's fields and filters, for list, detail, history and audit trail. */
import type { AgreementDetail } from "../../../lib/api-types";
import { agreementStateCodes } from "../../../lib/codes";
import { count } from "../../../lib/format";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

export const agreementFields: readonly Field<Omit<AgreementDetail, "text">>[] = [
  { key: "name", title: "agreement.name" },
  { key: "code", title: "agreement.code", kind: "code" },
  { key: "edition", title: "agreement.edition", kind: "code" },
  {
    key: "state",
    title: "agreement.state",
    kind: "enum",
    labels: "AgreementState",
    colors: { waiting: "blue", valid: "green", ended: "gray" },
  },
  { key: "validFrom", title: "agreement.validFrom", kind: "time", sort: true },
  { key: "validTo", title: "agreement.validTo", kind: "time", sort: true },
  {
    key: "consents",
    title: "agreement.consents",
    kind: "count",
    show: ({ id, consents }) =>
      consents === 0 ? (
        count(0)
      ) : (
        <a className="ll-link" href={`/user/list?agreementId=${id}`}>
          {count(consents)}
        </a>
      ),
  },
  { key: "digest", title: "agreement.digest", kind: "code", list: "hidden", copy: true },
  { key: "textKept", title: "agreement.textKept", kind: "flag", list: "hidden" },
  { key: "createdAt", title: "agreement.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "agreement.updatedAt", kind: "time", list: "hidden" },
];

export const agreementFilters: readonly Filter[] = [
  { name: "keyword", label: "agreement.keyword", kind: "text", placeholder: "agreement.keywordHint" },
  { name: "state", label: "agreement.state", kind: "select", options: { codes: agreementStateCodes, labels: "AgreementState" } },
];
