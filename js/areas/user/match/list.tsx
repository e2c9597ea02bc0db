/** /user/match-list: single questions whether an applicant is wanted, from channels to us and from us to organisations. */
import type { MatchDetail, MatchRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { matchFields, matchFilters } from "./fields";
import { MatchTabs } from "./tabs";

export default function MatchList() {
  return (
    <>
      <MatchTabs current="/user/match-list" />
      <ListPage
        title="match.title"
        empty="match.empty"
        api="/user/match"
        points="user/match-list"
        fields={matchFields}
        filters={matchFilters}
        actions={actions}
      />
    </>
  );
}

const actions: readonly RowAction<MatchRow>[] = [{ label: "match.view", point: "list", run: view }];

async function view({ id }: MatchRow, { open }: List) {
  const [{ showMatch }, match] = await Promise.all([import("./detail"), api.get<MatchDetail>(`/user/match/${id}`)]);
  await open((overlay) => showMatch({ overlay, match }));
}
