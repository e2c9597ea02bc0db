/** The API delivery settings of an organisation, and those that await approval. */
import type { OrgApi } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { fieldText } from "../../../ui/field";
import { SecondPerson } from "../../../ui/record-state";
import { deliveryFields } from "./fields";

/** The settings; of the keys only their fingerprints. */
export function Delivery({ settings, wide }: { settings: OrgApi; wide?: boolean }) {
  const t = useT();
  return (
    <>
      <Description wide={wide} fields={deliveryFields} row={settings} />
      <p className="mt-4">
        <a className="ll-link" href="/partner-api" target="_blank" rel="noreferrer">
          {t("org.api.guide")}
        </a>
      </p>
      {settings.proposed && <ProposedDelivery settings={settings} />}
    </>
  );
}

/** The settings that await approval and differ from those in use. */
export function ProposedDelivery({ settings }: { settings: OrgApi }) {
  const t = useT();
  const proposed = settings.proposed ?? settings;
  const fields = deliveryFields.filter((field) => fieldText(field, proposed[field.key], t) !== fieldText(field, settings[field.key], t));
  return (
    <>
      <h2 className="ll-details-title">
        {settings.decision ? t("proposal.titleOf", { names: settings.decision.makerNames }) : t("proposal.title")}
      </h2>
      {settings.decision && (
        <p>
          <SecondPerson decision={settings.decision} />
        </p>
      )}
      <Description fields={fields} row={proposed} previous={settings} />
    </>
  );
}
