/** What forms take from chat. */
import type { NewRecord } from "../../ui/new-record";

export const newGroup: NewRecord = {
  route: "chatGroup",
  point: "chat/group/create",
  none: "chatGroup.none",
  make: async (open, t) => (await import("./new-record")).makeGroup(open, t),
};
