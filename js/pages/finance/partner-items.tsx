/** /finance/partner/items: what channels are owed for, one line for each event. */
import type { PartnerItemRow } from "../../lib/api-types";
import { ListPage } from "../../ui/list-page";
import { partnerItemFields, partnerItemFilters } from "./partner-item-fields";
import { PartnerTabs } from "./tabs";

export default function PartnerItems() {
  return (
    <>
      <PartnerTabs current="/finance/partner/items" />
      <ListPage<PartnerItemRow>
        title="partner.itemsTitle"
        empty="partner.itemsEmpty"
        api="/partner/statement/item"
        points="finance/partner"
        fields={partnerItemFields}
        filters={partnerItemFilters}
      />
    </>
  );
}
