/** What forms take from payee channels. */
import type { NewRecord } from "../../ui/new-record";

export const newPayeeChannel: NewRecord = {
  route: "payConfigList",
  point: "payConfig/list/create",
  none: "payeeChannel.none",
  make: async (open, t) => (await import("./new-record")).makePayeeChannel(open, t),
};

/** One that takes orders: a new one does not before another person has enabled it. */
export const newOpenChannel: NewRecord = {
  ...newPayeeChannel,
  none: "payeeChannel.noneOpen",
  make: async (open, t) => {
    await newPayeeChannel.make(open, t);
    return undefined;
  },
};
