/**
 * /crm/board: clues by stage. A card is moved by dragging it, by the keyboard and by its menu; without a script each
 * card has a form.
 */
import { type DragEvent, useState } from "react";

import type { BoardClue, BoardColumn, ClueRow, ClueStage } from "../../../lib/api-types";
import { clueStageSteps } from "../../../lib/codes";
import { count, EMPTY, momentInput, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import { placeText } from "../../../lib/places";
import { usePageData } from "../../../lib/props";
import { formatQuery } from "../../../lib/query-string";
import type { Act } from "../../../ui/act";
import { type List, openActionMenu, type RowAction, useActions } from "../../../ui/actions";
import { Icon } from "../../../ui/icon";
import { ListFilter } from "../../../ui/list-filter";
import { FailedList } from "../../../ui/list-state";
import { Tag } from "../../../ui/tag";
import { testTag } from "../../../ui/test-tag";
import { CrmTabs } from "../tabs";
import { follow, useClueChoices } from "./actions";
import { clueFilters, levelColors, nextContact, plannedContact, starText } from "./fields";
import { isGivenUp, needsNote } from "./stages";

const filters = clueFilters.filter(({ name }) => ["keyword", "ownerId", "level", "star", "due", "orgId", "created"].includes(name));
/** The stage of the first column, which can be folded: most leads may stand in it. */
const FIRST = "new";
/** The type of the data of a dragged card. */
const CARD = "application/x-clue";

export default function Board() {
  const t = useT();
  const answer = usePageData<BoardColumn[] | null>("board");
  const query = useListQuery();
  // `moved` is the clue that the form of a card has just moved.
  const { moved, fold, ...given } = query.filters;
  return (
    <>
      <CrmTabs current="/crm/board" />
      <div className="ll-card">
        <h1 className="ll-title">{t("clue.boardTitle")}</h1>
        <ListFilter filters={filters} query={query} pathname="/crm/board" kept={["fold"]} />
        {answer.data && moved !== undefined && <Moved columns={answer.data} id={moved} />}
        {answer.data ? (
          <Columns columns={answer.data} filters={given} isFolded={fold === FIRST} />
        ) : (
          <FailedList answer={answer} address="/crm/board" />
        )}
      </div>
    </>
  );
}

/** Shows the new stage of a clue that a form has moved; its column may be too long to show the clue. */
function Moved({ columns, id }: { columns: readonly BoardColumn[]; id: string }) {
  const t = useT();
  const row = columns.flatMap(({ clues }) => clues).find((clue) => String(clue.id) === id);
  return (
    <p className="ll-alert ll-alert-success" role="status">
      <Icon name="check" />
      {row ? t("clue.movedTo", { no: row.no, stage: t(`ClueStage.${row.stage}`) }) : t("clue.followed")}
    </p>
  );
}

interface ColumnsProps {
  columns: readonly BoardColumn[];
  filters: Readonly<Record<string, string>>;
  /** The first column is not shown. */
  isFolded: boolean;
}

function Columns({ columns, filters, isFolded }: ColumnsProps) {
  const t = useT();
  const [list, act, overlays] = useActions("crm/clue");
  const choices = useClueChoices();
  const mayFollow = useHasPoint(["crm/clue/follow"]);
  const [over, setOver] = useState<ClueStage | null>(null);
  const rows = columns.flatMap(({ clues }) => clues);
  const move = (row: ClueRow, stage: ClueStage) => act(`move ${row.id}`, () => follow(row, list, choices, stage));
  const takes = (row: ClueRow, stage: ClueStage) =>
    mayFollow && row.ownerId !== null && clueStageSteps[row.stage].includes(stage) && stage !== "new";

  const drop = (event: DragEvent, stage: ClueStage) => {
    event.preventDefault();
    setOver(null);
    const row = rows.find(({ id }) => String(id) === event.dataTransfer.getData(CARD));
    if (row && row.stage !== stage) {
      if (takes(row, stage)) move(row, stage);
      else
        act(`refuse ${row.id}`, async () =>
          list.confirm({
            title: t("clue.cannotMove"),
            text: t("clue.cannotMoveText", { stage: t(`ClueStage.${stage}`) }),
            confirm: t("ui.ok"),
          }),
        );
    }
  };

  const first = columns.find(({ stage }) => stage === FIRST);
  const address = (more: Readonly<Record<string, string>>) => `/crm/board${formatQuery({ ...filters, ...more })}`;
  const board = (
    <div className="crm-board" role="region" aria-label={t("clue.boardTitle")} tabIndex={0}>
      {columns
        .filter(({ stage }) => !(isFolded && stage === FIRST))
        .map(({ stage, total, clues }) => (
          <section
            key={stage}
            className={over === stage ? "crm-column crm-over" : "crm-column"}
            aria-label={t(`ClueStage.${stage}`)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(stage);
            }}
            onDragLeave={() => setOver(null)}
            onDrop={(event) => drop(event, stage)}
          >
            <h2>
              <a href={`/crm/clue${formatQuery({ ...filters, stage })}`}>
                {t(`ClueStage.${stage}`)} <span>{count(total)}</span>
              </a>
            </h2>
            {clues.map((row) => (
              <Card
                key={row.id}
                list={list}
                act={act}
                row={row}
                steps={clueStageSteps[row.stage].filter((next) => takes(row, next))}
                move={move}
                back={address(isFolded ? { fold: FIRST } : {})}
              />
            ))}
            {clues.length === 0 && <p className="ll-quiet">{t("clue.noneHere")}</p>}
          </section>
        ))}
      {overlays}
    </div>
  );
  if (!first) return board;
  const name = t(`ClueStage.${FIRST}`);
  return (
    <>
      <p className="mb-4">
        <a className="ll-link" href={address(isFolded ? {} : { fold: FIRST })} data-replace="">
          {isFolded ? t("clue.unfold", { stage: name, count: count(first.total) }) : t("clue.fold", { stage: name })}
        </a>
      </p>
      {board}
    </>
  );
}

interface CardProps {
  /** The board's, which shows the menu. */
  list: List;
  act: Act;
  row: BoardClue;
  /** Stages that it may go to. */
  steps: readonly ClueStage[];
  move: (row: ClueRow, stage: ClueStage) => unknown;
  /** The address of the board as it is. */
  back: string;
}

function Card({ list, act, row, steps, move, back }: CardProps) {
  const t = useT();
  const actions = steps.map((stage): RowAction<ClueRow> => ({
    label: `ClueStage.${stage}`,
    point: "follow",
    run: async () => move(row, stage),
  }));
  const about = [
    row.amountCents !== null && t("clue.yuan", { amount: money(row.amountCents).replace(/\.00$/, "") }),
    t("clue.stageDays", { count: count(row.stageDays) }),
    placeText(row.city, t),
    row.ownerName ?? t("clue.noOwner"),
  ];
  return (
    <article
      className="crm-card"
      draggable={steps.length > 0}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(CARD, String(row.id));
        dataTransfer.effectAllowed = "move";
      }}
    >
      <p className="flex items-center justify-between gap-2">
        <span>
          <a className="ll-link" href={`/crm/clue/${row.id}`}>
            {row.nameMask}
          </a>{" "}
          {row.test && <>{testTag(row.test, t)} </>}
          <Tag color={levelColors[row.level]}>{t(`ClueLevel.${row.level}`)}</Tag> {row.star > 0 && starText(row.star)}
        </span>
        {steps.length > 0 && (
          <button
            aria-haspopup="menu"
            aria-label={`${t("clue.moveTo")} ${row.no}`}
            title={t("clue.moveTo")}
            className="ll-link"
            onClick={({ currentTarget }) => act(`more ${row.id}`, () => openActionMenu(currentTarget, actions, row, list, act))}
          >
            <Icon name="more" />
          </button>
        )}
      </p>
      <p className="ll-quiet">{about.filter((text) => text && text !== EMPTY).join(" · ")}</p>
      {row.nextFollowAt !== null && <p>{nextContact(row, t)}</p>}
      {steps.length > 0 && (
        <noscript>
          <MoveForm row={row} steps={steps} back={back} />
        </noscript>
      )}
    </article>
  );
}

/** The name of a stage, with "reason" or "note" if the step to it needs one. */
function stageText(from: ClueStage, to: ClueStage, t: Translate): string {
  const stage = t(`ClueStage.${to}`);
  return isGivenUp(to) ? t("clue.stageWithReason", { stage }) : needsNote(from, to) ? t("clue.stageWithNote", { stage }) : stage;
}

/** Moves a card without a script. For a stage that needs a reason, the page of the clue is opened, which asks for it. */
function MoveForm({ row, steps, back }: Pick<CardProps, "row" | "steps" | "back">) {
  const t = useT();
  return (
    <form className="crm-move" method="post" action="/crm/progress" aria-label={t("clue.moveName", { no: row.no })}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="version" value={row.version} />
      <input type="hidden" name="back" value={back} />
      <input type="hidden" name="nextAt" value={momentInput(plannedContact(row))} />
      <select className="ll-input" name="status" aria-label={t("clue.stageNext")}>
        {steps.map((stage) => (
          <option key={stage} value={stage}>
            {stageText(row.stage, stage, t)}
          </option>
        ))}
      </select>
      <input className="ll-input" name="note" aria-label={t("clue.note")} placeholder={t("clue.note")} />
      <button type="submit" className="ll-btn ll-btn-outline ll-btn-s">
        {t("clue.move")}
      </button>
    </form>
  );
}
