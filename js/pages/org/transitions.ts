/** How an organisation's status may change; the server refuses everything else with 1006. */
import type { OrgStatus } from "../../lib/api-types";

const transitions: Readonly<Record<OrgStatus, readonly OrgStatus[]>> = {
  pending: ["active"],
  active: ["paused"],
  paused: ["active", "terminated"],
  terminated: [],
};

/** Whether an organisation in the status `from` may be put into `to`. */
export function mayBecome(from: OrgStatus, to: OrgStatus): boolean {
  return transitions[from].includes(to);
}
