/** What was done with a clue, the latest first: follow-ups, changes of hands, its sale and its beginning. */
import type { ReactNode } from "react";

import type { ClueDetail, FollowRow, OwnerChange } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { EnumTag, Tag } from "../../../ui/tag";
import { stageColors } from "./fields";
import { type Happened, latestFirst } from "./story-order";

interface Entry extends Happened {
  key: string;
  title: ReactNode;
  text?: ReactNode;
}

export function ClueStory({ clue }: { clue: ClueDetail }) {
  const t = useT();
  const entries: Entry[] = [
    ...clue.follows.map((follow) => followEntry(follow, t)),
    ...clue.owners.map((change) => ownerEntry(change, t)),
    { key: "begun", step: "begun", at: clue.createdAt, title: t("clue.begun") },
  ];
  if (clue.soldAt !== null)
    entries.push({ key: "sold", step: "sold", at: clue.soldAt, title: t("clue.bought", { no: clue.pushNo ?? "" }) });
  entries.push({ key: "applied", step: "applied", at: clue.applicant.appliedAt, title: t("clue.applied") });
  return (
    <section className="crm-story" aria-label={t("clue.story")}>
      <h2 className="ll-form-section-title">{t("clue.story")}</h2>
      <ol className="ll-timeline">
        {latestFirst(entries).map(({ key, at, title, text }) => (
          <li key={key}>
            <p>
              {title} <time dateTime={new Date(at).toISOString()}>{minute(at)}</time>
            </p>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

function followEntry(
  { id, adminName, type, result, content, stageFrom, stageTo, nextFollowAt, files, at }: FollowRow,
  t: Translate,
): Entry {
  return {
    key: `follow ${id}`,
    step: "work",
    at,
    title: (
      <>
        <strong>{t(`FollowType.${type}`)}</strong> {result && <Tag>{t(`FollowResult.${result}`)}</Tag>} {adminName}
        {stageFrom !== stageTo && (
          <>
            {" "}
            → <EnumTag labels="ClueStage" value={stageTo} colors={stageColors} />
          </>
        )}
      </>
    ),
    text: (
      <>
        {content && <p className="my-1 wrap-anywhere whitespace-pre-wrap">{content}</p>}
        {files.map(({ id: file, name, url }) => (
          <a key={file} className="ll-link block" href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        ))}
        {nextFollowAt !== null && <p className="ll-quiet">{t("clue.nextAt", { at: minute(nextFollowAt) })}</p>}
      </>
    ),
  };
}

function ownerEntry({ id, way, fromName, toName, poolName, adminName, at }: OwnerChange, t: Translate): Entry {
  const to = toName ?? t("clue.pool", { name: poolName ?? "" });
  return {
    key: `owner ${id}`,
    step: "work",
    at,
    title: (
      <>
        <strong>{t(`OwnerWay.${way}`)}</strong> {fromName ? `${fromName} → ${to}` : `→ ${to}`}
      </>
    ),
    text: adminName && adminName !== toName ? <p className="ll-quiet">{t("clue.by", { name: adminName })}</p> : undefined,
  };
}
