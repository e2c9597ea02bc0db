/** What other areas take from channels. */
import type { NewRecord } from "../../ui/new-record";

export const newChannel: NewRecord = {
  route: "channelList",
  point: "channel/list/create",
  none: "channel.none",
  make: async (open, t) => (await import("./new-record")).makeChannel(open, t),
};
