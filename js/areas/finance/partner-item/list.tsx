/** /finance/partner/items: what channels are owed for, one line for each event. */
import type { PartnerItemRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { PartnerTabs } from "../tabs";
import { partnerItemFields, partnerItemFilters } from "./fields";

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
