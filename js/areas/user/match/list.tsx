/** /user/match-list: single questions whether an applicant is wanted, from channels to us and from us to organisations. */
import type { MatchRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { matchFields, matchFilters } from "./fields";
import { MatchTabs } from "./tabs";

const addressOf = ({ id }: MatchRow) => `/user/match-list/${id}`;

export default function MatchList() {
  return (
    <>
      <MatchTabs current="/user/match-list" />
      <ListPage<MatchRow>
        title="match.title"
        empty="match.empty"
        api="/user/match"
        points="user/match-list"
        fields={matchFields}
        filters={matchFilters}
        href={addressOf}
      />
    </>
  );
}
