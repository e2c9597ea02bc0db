/** How a channel's status may change; the server refuses everything else with 1006. */
import type { ChannelStatus } from "../../lib/api-types";

const transitions: Readonly<Record<ChannelStatus, readonly ChannelStatus[]>> = {
  enabled: ["paused", "disabled"],
  paused: ["enabled", "disabled"],
  disabled: ["enabled"],
};

/** Whether a channel in the status `from` may be put into `to`. */
export function mayBecome(from: ChannelStatus, to: ChannelStatus): boolean {
  return transitions[from].includes(to);
}
