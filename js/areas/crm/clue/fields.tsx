/** A clue's fields and filters. */
import type { ReactNode } from "react";

import type { ClueRow, DictOption } from "../../../lib/api-types";
import {
  clueDueCodes,
  clueHolderCodes,
  clueLevelCodes,
  clueReachedCodes,
  clueReclaimCodes,
  clueStageCodes,
  clueStateCodes,
} from "../../../lib/codes";
import { EMPTY, minute } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { placeText } from "../../../lib/places";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toChannel, toOrg, toPlan, toTeam } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { itemTag, type TagColors } from "../../../ui/tag";
import { testTag, withTestTag } from "../../../ui/test-tag";
import { userStars } from "../../../ui/stars";

/** What forms choose from. */
export interface ClueChoices {
  lostReasons: readonly DictOption[];
}

export const stageColors = {
  new: "blue",
  following: "cyan",
  appointment: "cyan",
  visited: "purple",
  signed: "purple",
  submitted: "orange",
  approved: "orange",
  disbursed: "green",
  invalid: "gray",
  lost: "gray",
} as const satisfies TagColors;

export const levelColors = { a: "red", b: "orange", c: "blue", d: "gray" } as const satisfies TagColors;

const STARS = ["0", "1", "2", "3"] as const;

/** The number of stars, as stars. */
export const starText = (star: number) => (star > 0 ? "★".repeat(star) : EMPTY);

/** The planned contact of a clue, the first value of forms; null if its minute is over. */
export function plannedContact({ nextFollowAt }: Pick<ClueRow, "nextFollowAt">): number | null {
  return nextFollowAt !== null && nextFollowAt > Date.now() + 60_000 ? nextFollowAt : null;
}

/** The next contact; one that is overdue says so, in words and colour. */
export function nextContact({ nextFollowAt, escalation, responseDueAt, firstFollowAt }: ClueRow, t: Translate): ReactNode {
  if (nextFollowAt === null) {
    if (escalation > 0) return <span className="ll-tag ll-tag-red">{t("clue.responseLate")}</span>;
    return responseDueAt !== null && firstFollowAt === null ? t("clue.respondBy", { time: minute(responseDueAt) }) : EMPTY;
  }
  if (escalation === 0) return minute(nextFollowAt);
  return (
    <>
      {minute(nextFollowAt)}{" "}
      <span className={`ll-tag ll-tag-${escalation > 1 ? "red" : "orange"}`}>{t(`clue.overdue.${escalation}` as "clue.overdue.1")}</span>
    </>
  );
}

const toSalesperson = { page: "/crm/saleman/", id: "ownerId", point: "crm/saleman/list" } as const;
const toPool = { page: "/crm/pool-setting/", id: "poolId", point: "crm/saleman/list" } as const;

export const clueFields: readonly Field<ClueRow>[] = [
  {
    key: "nameMask",
    title: "clue.nameMask",
    show: ({ nameMask, isNew, test }, t) =>
      withTestTag(
        isNew ? (
          <>
            {nameMask} <span className="ll-tag ll-tag-blue">{t("clue.unseen.yes")}</span>
          </>
        ) : (
          nameMask
        ),
        test,
        t,
      ),
  },
  { key: "phoneMask", title: "clue.phoneMask", kind: "code" },
  { key: "city", title: "clue.city", words: placeText },
  { key: "stage", title: "clue.stage", kind: "enum", labels: "ClueStage", colors: stageColors },
  { key: "level", title: "clue.level", kind: "enum", labels: "ClueLevel", colors: levelColors },
  { key: "star", title: "clue.star", list: "hidden", show: ({ star }) => starText(star) },
  { key: "ownerName", title: "clue.ownerName", link: toSalesperson },
  { key: "nextFollowAt", title: "clue.nextFollowAt", kind: "time", sort: true, show: nextContact },
  {
    key: "lastFollowText",
    title: "clue.lastFollowText",
    short: true,
    show: ({ lastFollowText }) => (
      <span className="ll-clip" title={lastFollowText}>
        {lastFollowText || EMPTY}
      </span>
    ),
  },
  { key: "lastFollowAt", title: "clue.lastFollowAt", kind: "time", sort: true, list: "hidden" },
  { key: "followCount", title: "clue.followCount", kind: "count", sort: true, list: "hidden" },
  { key: "no", title: "clue.no", kind: "code", copy: true, list: "hidden" },
  { key: "poolName", title: "clue.poolName", list: "hidden", link: toPool },
  { key: "orgName", title: "clue.orgName", list: "hidden", link: toOrg },
  { key: "subOrgName", title: "clue.subOrgName", list: "hidden", link: toTeam },
  { key: "planName", title: "clue.planName", list: "hidden", link: toPlan },
  { key: "channelName", title: "clue.channelName", list: "hidden", link: toChannel },
  { key: "test", title: "clue.test", kind: "flag", list: "hidden", show: ({ test }, t) => testTag(test, t) },
  { key: "smsCount", title: "clue.smsCount", kind: "count", list: "hidden" },
  { key: "assignedAt", title: "clue.assignedAt", kind: "time", sort: true, list: "hidden" },
  { key: "responseDueAt", title: "clue.responseDueAt", kind: "time", list: "never" },
  { key: "firstFollowAt", title: "clue.firstFollowAt", kind: "time", list: "hidden" },
  { key: "reclaimAt", title: "clue.reclaimAt", kind: "time", list: "hidden", file: false },
  { key: "visitedAt", title: "clue.visitedAt", kind: "time", list: "hidden" },
  { key: "disbursedAt", title: "clue.disbursedAt", kind: "time", list: "hidden" },
  { key: "signedAt", title: "clue.signedAt", kind: "time", list: "hidden" },
  {
    key: "lostReasonName",
    title: "clue.lostReasonName",
    list: "hidden",
    show: ({ lostReasonName, labelColor }) => itemTag(lostReasonName, labelColor),
  },
  { key: "createdAt", title: "clue.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "clue.updatedAt", kind: "time", list: "hidden" },
];

/** The fields of the list for viewers of the platform, who see clues of all organisations and do not work on them. */
export const clueFieldsOfAll: readonly Field<ClueRow>[] = clueFields.map((field) => {
  if (field.key === "orgName") return { key: "orgName", title: "clue.orgName", short: true, link: toOrg };
  return field.key === "lastFollowText" ? { ...field, list: "hidden" } : field;
});

/** The fields of clues in a pool: those that a salesperson may see before claiming one. */
export const pooledFields: readonly Field<ClueRow>[] = [
  { key: "nameMask", title: "clue.nameMask", show: ({ nameMask, test }, t) => withTestTag(nameMask, test, t) },
  { key: "phoneMask", title: "clue.phoneMask", kind: "code" },
  { key: "city", title: "clue.city", words: placeText },
  { key: "stage", title: "clue.stage", kind: "enum", labels: "ClueStage", colors: stageColors },
  { key: "level", title: "clue.level", kind: "enum", labels: "ClueLevel", colors: levelColors },
  { key: "star", title: "clue.star", list: "hidden", show: ({ star }) => starText(star) },
  { key: "poolName", title: "clue.poolName", link: toPool },
  { key: "channelName", title: "clue.channelName", list: "hidden", link: toChannel },
  { key: "followCount", title: "clue.followCount", kind: "count", sort: true },
  { key: "lastFollowAt", title: "clue.lastFollowAt", kind: "time", sort: true },
  { key: "claimableAt", title: "clue.claimableAt", kind: "time" },
  { key: "createdAt", title: "clue.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "no", title: "clue.no", kind: "code", copy: true, list: "hidden" },
  { key: "orgName", title: "clue.orgName", list: "hidden", link: toOrg },
];

export const clueFilters: readonly Filter[] = [
  { name: "keyword", label: "clue.keyword", kind: "text", placeholder: "clue.keywordHint" },
  { name: "stage", label: "clue.stage", kind: "select", options: { codes: clueStageCodes, labels: "ClueStage" } },
  { name: "due", label: "clue.nextFollowAt", kind: "select", options: { codes: clueDueCodes, labels: "ClueDue" } },
  { name: "state", label: "clue.state", kind: "select", options: { codes: clueStateCodes, labels: "ClueState" } },
  { name: "reached", label: "clue.reached", kind: "select", options: { codes: clueReachedCodes, labels: "ClueReached" } },
  { name: "userStar", label: "clue.userStar", kind: "select", options: { codes: userStars, labels: "user.star" } },
  { name: "holder", label: "clue.holder", kind: "select", options: { codes: clueHolderCodes, labels: "ClueHolder" } },
  { name: "ownerId", label: "clue.ownerName", kind: "select", options: { load: "people", search: "/crm/salesperson/options?all=true" } },
  { name: "level", label: "clue.level", kind: "select", options: { codes: clueLevelCodes, labels: "ClueLevel" } },
  { name: "star", label: "clue.star", kind: "select", options: { codes: STARS, labels: "clue.stars" } },
  { name: "escalation", label: "clue.escalation", kind: "select", options: { codes: ["1", "2", "3", "4"], labels: "clue.overdueFor" } },
  { name: "reclaim", label: "clue.reclaim", kind: "select", options: { codes: clueReclaimCodes, labels: "ClueReclaim" } },
  { name: "test", label: "clue.test", kind: "select", options: { codes: ["no", "yes"], labels: "push.test" } },
  { name: "unseen", label: "clue.isNew", kind: "select", options: { codes: ["yes"], labels: "clue.unseen" } },
  { name: "orgId", label: "clue.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "planId", label: "clue.planName", kind: "select", options: { load: "plans", search: "/crm/plan/options" } },
  { name: "channelId", label: "clue.channelName", kind: "select", options: { load: "channels", search: "/crm/channel/options" } },
  { name: "subOrgId", label: "clue.subOrgName", kind: "select", options: { load: "teams", search: "/crm/subOrg/options" } },
  { name: "poolId", label: "clue.poolName", kind: "select", options: { load: "pools" } },
  { name: "created", label: "clue.createdAt", kind: "days" },
  { name: "assigned", label: "clue.assignedAt", kind: "days" },
  { name: "visited", label: "clue.visitedAt", kind: "days" },
  { name: "signed", label: "clue.signedAt", kind: "days" },
  { name: "followed", label: "clue.followedAt", kind: "days" },
  {
    name: "followedBy",
    label: "clue.followedBy",
    kind: "select",
    options: { load: "people", search: "/crm/salesperson/options?all=true" },
  },
  { name: "visitedTeam", label: "clue.visitedTeam", kind: "select", options: { load: "teams", search: "/crm/subOrg/options" } },
  { name: "signedTeam", label: "clue.signedTeam", kind: "select", options: { load: "teams", search: "/crm/subOrg/options" } },
  { name: "visitedBy", label: "clue.visitedBy", kind: "select", options: { load: "people", search: "/crm/salesperson/options?all=true" } },
  { name: "signedBy", label: "clue.signedBy", kind: "select", options: { load: "people", search: "/crm/salesperson/options?all=true" } },
];

export const pooledFilters: readonly Filter[] = [
  { name: "keyword", label: "clue.keyword", kind: "text", placeholder: "clue.keywordHint" },
  { name: "poolId", label: "clue.poolName", kind: "select", options: { load: "pools" } },
  { name: "level", label: "clue.level", kind: "select", options: { codes: clueLevelCodes, labels: "ClueLevel" } },
  { name: "state", label: "clue.state", kind: "select", options: { codes: clueStateCodes, labels: "ClueState" } },
  { name: "stage", label: "clue.stage", kind: "select", options: { codes: clueStageCodes, labels: "ClueStage" } },
  { name: "test", label: "clue.test", kind: "select", options: { codes: ["no", "yes"], labels: "push.test" } },
  { name: "channelId", label: "clue.channelName", kind: "select", options: { load: "channels", search: "/crm/channel/options" } },
  { name: "orgId", label: "clue.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "created", label: "clue.createdAt", kind: "days" },
];

/** Titles of keys that are in a clue's history and not in its row. */
export const clueTitles: FieldTitles = {
  note: "clue.note",
  version: "clue.version",
  sms: "clue.sms",
  optedOut: "clue.optedOut",
  lostReason: "clue.lostReasonName",
};
