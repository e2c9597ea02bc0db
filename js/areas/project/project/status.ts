/** The meaning of a project's status, its owner, and the addresses of its page and its form. */
import type { ProjectRow } from "../../../lib/api-types";
import type { Viewer } from "../../../lib/types";
import type { TagColors } from "../../../ui/tag";

export const statusColors: TagColors = { draft: "gray", submitted: "blue", returned: "orange", launched: "green", withdrawn: "gray" };

/** The address of a project's page. */
export const profileOf = (id: number) => `/project/profile?id=${id}`;
/** The address of its form; the draft of a new one has no id in it. */
export const formOf = ({ id, status }: Pick<ProjectRow, "id" | "status">) =>
  status === "draft" ? "/project/form" : `/project/form?id=${id}`;

/** Whether the viewer filed it: the viewer may change it, and another person decides on it. */
export const isOwn = ({ applicantAdminId }: ProjectRow, viewer: Viewer | null) => applicantAdminId === viewer?.id;
/** Neither launched nor given up. */
export const isOpen = ({ status }: ProjectRow) => status === "draft" || status === "submitted" || status === "returned";
/** It waits for a decision that the viewer may take. */
export const mayDecide = (row: ProjectRow, viewer: Viewer | null) => row.status === "submitted" && !isOwn(row, viewer);

/** Whether this settlement pays a price for each visitor, registration or lead. */
export const isByUnit = ({ settleMode }: { settleMode?: unknown }) => settleMode !== "none" && settleMode !== "share";
