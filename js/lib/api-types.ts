/** Types that cross the wire, named as the Rust structs are. Times are epoch milliseconds, money is fen. */

export interface Page<Row> {
  list: Row[];
  total: number;
  /** False when `total` is an estimate (above 10,000 matches). */
  totalIsExact: boolean;
  current: number;
  pageSize: number;
}

export interface SelectOption {
  value: number;
  label: string;
}

export type ChannelType = "ads" | "h5" | "api" | "sms" | "organic" | "other";
export type SettleMode = "none" | "uv" | "registered" | "accepted_lead" | "share";
export type ChannelMode = "test" | "live";
export type ChannelStatus = "disabled" | "enabled" | "paused";

export interface ChannelRow {
  id: number;
  code: string;
  name: string;
  type: ChannelType;
  settleMode: SettleMode;
  unitPriceCents: number;
  /** Share of the revenue in basis points: 1250 is 12.50 %. */
  shareBp: number;
  landingUrl: string | null;
  appKey: string;
  ipAllow: string[];
  callbackUrl: string | null;
  mode: ChannelMode;
  status: ChannelStatus;
  dedupDays: number | null;
  ownerAdminId: number | null;
  ownerName: string | null;
  remark: string;
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** Answer of a create or of a new secret: the secret is shown once and never again. */
export interface ChannelSecret {
  id: number;
  appKey: string;
  appSecret: string;
}

export type AdminStatus = "disabled" | "enabled" | "locked";

export interface RoleRef {
  id: number;
  name: string;
}

export interface AdminRow {
  id: number;
  username: string;
  realName: string;
  phoneMask: string | null;
  email: string | null;
  orgId: number | null;
  orgName: string | null;
  subOrgId: number | null;
  subOrgName: string | null;
  status: AdminStatus;
  roles: RoleRef[];
  mustChangePwd: boolean;
  lastLoginAt: number | null;
  lastLoginIp: string | null;
  builtin: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** Answer of creating an administrator: the initial password, shown once. */
export interface AdminCreated {
  id: number;
  password: string;
}

export interface AuditEntry {
  id: number;
  at: number;
  adminName: string;
  action: string;
  diff: { field: string; before: string | null; after: string | null }[];
}
