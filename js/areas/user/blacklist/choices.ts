/** What the form of an entry chooses from, of the page's loads. */
import type { SelectOption } from "../../../lib/api-types";
import { useLoaded, useViewer } from "../../../lib/props";
import type { BlacklistChoices } from "./fields";

export function useBlacklistChoices(): BlacklistChoices {
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  // Only viewers with the widest scope change entries that apply everywhere.
  const everywhere = useViewer()?.scope === "all";
  return { channels, orgs, everywhere };
}
