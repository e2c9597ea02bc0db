/**
 * The follow-up on a clue's page: a real form, so that a note can be written before and without JavaScript. With it the
 * form is sent to the API, and the page shows the new state.
 */
import { type FormEvent, Fragment, type KeyboardEvent, useContext, useEffect, useEffectEvent, useRef, useState } from "react";

import type { ClueDetail, ClueRow, StoredFile } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { AppContext } from "../../../lib/app-context";
import { clueLevelCodes, followResultCodes, followTypeCodes } from "../../../lib/codes";
import { defaultOf } from "../../../lib/dictionary";
import { lengthOf, momentInput } from "../../../lib/format";
import { type MessageKey, useT } from "../../../lib/i18n";
import { followUpLimits } from "../../../lib/limits";
import { parseMoment } from "../../../lib/moment";
import { useReload } from "../../../lib/props";
import { useShortcuts } from "../../../lib/shortcuts";
import { notify } from "../../../lib/toast";
import { useNavigate } from "../../../lib/visit";
import { Button } from "../../../ui/button";
import { DayInput } from "../../../ui/day-input";
import { reported } from "../../../ui/description";
import type { FormField, Inputs } from "../../../ui/form";
import { FormRefusal } from "../../../ui/form-refusal";
import { useLeaveGuard } from "../../../ui/leave-guard";
import { useOverlay } from "../../../ui/overlay";
import { Upload } from "../../../ui/upload";
import { useDraft } from "../../../ui/use-draft";
import { openNext, useClueChoices } from "./actions";
import { plannedContact, starText } from "./fields";
import { isGivenUp, isOpenStage, stagesFrom } from "./stages";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STARS = [0, 1, 2, 3] as const;

/** The inputs of the form, and its files, as a draft names them: as in the dialog of a follow-up, whose drafts it shares. */
const TEXTS = ["type", "result", "note", "status", "level", "star", "lostReason", "nextAt"] as const;
const DRAFTED: readonly FormField[] = [
  ...TEXTS.map((name): FormField => ({ name, label: "clue.note", kind: "text" })),
  { name: "fileIds", label: "clue.files", kind: "files", bizType: "clue_follow", max: followUpLimits.mostFiles, stored: [] },
];
/** A follow-up is added to the clue as it is then: there is no version to compare. */
const NO_RECORD = {};

/** Usual moments of the next contact. */
const SOON: readonly { label: MessageKey; at: (now: number) => number }[] = [
  { label: "clue.inAnHour", at: (now) => now + HOUR },
  { label: "clue.tomorrow", at: (now) => morning(now, 1) },
  { label: "clue.inThreeDays", at: (now) => morning(now, 3) },
  { label: "clue.inAWeek", at: (now) => morning(now, 7) },
];

/** Ten o'clock in Shanghai, some days later. */
function morning(now: number, days: number): number {
  return parseMoment(`${momentInput(now + days * DAY).slice(0, 10)}T10:00`) ?? now + days * DAY;
}

export function FollowForm({ clue }: { clue: ClueDetail }) {
  const t = useT();
  const runLoads = useReload();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const nextButton = useRef<HTMLButtonElement>(null);
  const [files, setFiles] = useState<readonly StoredFile[]>([]);
  const [isUploading, setIsUploading] = useState(false);
  const { lostReasons } = useClueChoices();
  const refused = useContext(AppContext).props.formError;
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>(refused?.fields ?? {});
  const [refusal, setRefusal] = useState(refused?.desc ?? "");
  /** What the inputs are filled in with, beside the clue's own; `round` counts how often. */
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(refused?.values ?? {});
  const [round, setRound] = useState(0);
  const nextStage = clue.stage === "new" ? "following" : clue.stage;
  const [stage, setStage] = useState(typed["status"] ?? nextStage);
  const ends = isGivenUp(stage);

  const [begin] = useState<Inputs>(() => ({
    type: followTypeCodes[0]!,
    result: "",
    note: "",
    status: nextStage,
    level: clue.level,
    star: String(clue.star),
    lostReason: String(defaultOf(lostReasons) ?? ""),
    // A contact that is planned and not overdue stays, unless it is changed.
    nextAt: momentInput(plannedContact(clue)),
    fileIds: [],
  }));
  const [texts, setTexts] = useState<Inputs>({ ...begin, ...typed });
  const read = (): Inputs => {
    const values = form.current && new FormData(form.current);
    const entries = TEXTS.map((name) => [name, String(values?.get(name) ?? begin[name])]);
    return { ...Object.fromEntries(entries), fileIds: files.map(({ id }) => String(id)) };
  };
  const changed = useEffectEvent(() => setTexts(read()));
  /** Whether the clerk goes on to the next clue; null until the follow-up is saved. */
  const [savedTo, setSavedTo] = useState<"same" | "next" | null>(null);
  const [overlays, open] = useOverlay();
  const isTyped = String(texts["note"]).trim() !== "";
  const draft = useDraft({
    form: `clue.follow ${clue.id}`,
    fields: DRAFTED,
    record: NO_RECORD,
    isOpen: savedTo === null,
    state: {
      controls: { formState: { defaultValues: begin }, getValues: read },
      inputs: texts,
      isDirty: isTyped,
      record: NO_RECORD,
      stored: () => begin,
      restore: ({ inputs: kept }) => {
        const filled = Object.fromEntries(Object.entries(kept).filter((pair): pair is [string, string] => typeof pair[1] === "string"));
        setTyped(filled);
        if (stagesFrom(clue.stage).some((code) => code === filled["status"])) setStage(filled["status"]!);
        setRound((count) => count + 1);
        return false;
      },
    },
  });
  useEffect(() => {
    if (round === 0) return;
    changed();
    document.getElementById("follow-note")?.focus();
  }, [round]);
  useLeaveGuard((isTyped || files.length > 0) && savedTo === null, { open, left: draft.ended, hasDraft: draft.isThere });

  /** Goes on after the guard is off. */
  const goOn = useEffectEvent(async () => {
    if (savedTo === "next" && (await openNext(clue.id, { t, go: async (address) => navigate(address) }))) return;
    await runLoads();
  });
  useEffect(() => {
    if (savedTo !== null) void goOn().finally(() => setBusy(false));
  }, [savedTo]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isUploading) return;
    const values = new FormData(event.currentTarget);
    const goesOn = (event.nativeEvent as SubmitEvent).submitter === nextButton.current;
    const text = (name: string) => String(values.get(name) ?? "").trim();
    const nextAt = text("nextAt");
    const length = lengthOf(text("note"));
    setRefusal("");
    if (length > followUpLimits.note) {
      setErrors({ note: t("ui.rule.tooLong", { max: followUpLimits.note, length }) });
      document.getElementById("follow-note")?.focus();
      return;
    }
    setBusy(true);
    setErrors({});
    const send = () =>
      api.post<ClueRow>(
        "/crm/progress",
        {
          id: clue.id,
          version: clue.version,
          status: text("status"),
          type: text("type"),
          result: text("result") || null,
          note: text("note"),
          level: text("level"),
          star: Number(text("star")),
          lostReason: ends ? text("lostReason") || null : null,
          nextAt: nextAt && isOpenStage(stage) ? parseMoment(nextAt) : null,
          fileIds: files.map(({ id }) => id),
        },
        { quiet: true },
      );
    draft.whileSent(send).then(
      () => {
        notify("success", t("clue.followed"));
        draft.ended();
        setSavedTo(goesOn ? "next" : "same");
      },
      (error: unknown) => {
        setBusy(false);
        reported(error);
        if (!(error instanceof ApiError)) return;
        setErrors(error.fields);
        setRefusal(Object.keys(error.fields).length > 0 ? "" : error.code === "1005" ? t("clue.changed") : error.desc);
      },
    );
  };

  const planAs = (text: string) => {
    const input = document.getElementById("follow-next");
    if (input instanceof HTMLInputElement) input.value = text;
    setTexts(read());
  };
  const plan = (at: number) => planAs(momentInput(at));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.current?.requestSubmit(event.shiftKey ? nextButton.current : null);
  };
  const results = () => form.current?.querySelectorAll<HTMLInputElement>("input[name=result]");
  useShortcuts([
    { key: "f", text: t("clue.writeNote"), run: () => document.getElementById("follow-note")?.focus() },
    ...followResultCodes.map((code, i) => ({
      key: String(i + 1),
      text: t("clue.resultIs", { result: t(`FollowResult.${code}`) }),
      run: () => results()?.[i]?.click(),
    })),
    { key: "s", text: t("clue.followNextKey"), run: () => form.current?.requestSubmit(nextButton.current) },
  ]);
  const wrong = (name: string) =>
    errors[name] && (
      <p className="ll-error" id={`follow-${name}-error`} role="alert">
        {errors[name]}
      </p>
    );
  const about = (name: string) => (errors[name] ? { "aria-invalid": true as const, "aria-describedby": `follow-${name}-error` } : {});

  const entry = (
    <form
      ref={form}
      className="crm-follow ll-form grid gap-3"
      method="post"
      action="/crm/progress"
      encType="multipart/form-data"
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onInput={() => setTexts(read())}
      aria-label={t("clue.follow")}
    >
      {draft.note}
      <input type="hidden" name="id" value={clue.id} />
      <input type="hidden" name="version" value={clue.version} />
      <FormRefusal text={refusal} />
      <Fragment key={round}>
        <fieldset className="crm-chips flex flex-wrap gap-2">
          <legend className="ll-label">{t("clue.type")}</legend>
          {followTypeCodes.map((code, i) => (
            <label key={code}>
              <input type="radio" name="type" value={code} defaultChecked={typed["type"] ? typed["type"] === code : i === 0} />
              <span>{t(`FollowType.${code}`)}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className="crm-chips flex flex-wrap gap-2">
          <legend className="ll-label">{t("clue.result")}</legend>
          {followResultCodes.map((code, i) => (
            <label key={code}>
              <input type="radio" aria-keyshortcuts={String(i + 1)} name="result" value={code} defaultChecked={typed["result"] === code} />
              <span>{t(`FollowResult.${code}`)}</span>
            </label>
          ))}
        </fieldset>
        <div className="ll-field">
          <label className="ll-label" htmlFor="follow-note">
            {t("clue.note")}
          </label>
          <textarea
            id="follow-note"
            aria-keyshortcuts="F"
            className="ll-input"
            name="note"
            rows={3}
            defaultValue={typed["note"]}
            {...about("note")}
          />
          {wrong("note")}
        </div>
        <div className="grid grid-cols-[2fr_1fr_1fr] gap-3">
          <div className="ll-field">
            <label className="ll-label" htmlFor="follow-stage">
              {t("clue.stageNext")}
            </label>
            <select
              id="follow-stage"
              className="ll-input"
              name="status"
              value={stage}
              onChange={({ currentTarget }) => setStage(currentTarget.value)}
            >
              {stagesFrom(clue.stage).map((code) => (
                <option key={code} value={code}>
                  {t(`ClueStage.${code}`)}
                </option>
              ))}
            </select>
            {wrong("status")}
          </div>
          <div className="ll-field">
            <label className="ll-label" htmlFor="follow-level">
              {t("clue.level")}
            </label>
            <select id="follow-level" className="ll-input" name="level" defaultValue={typed["level"] ?? clue.level}>
              {clueLevelCodes.map((code) => (
                <option key={code} value={code}>
                  {t(`ClueLevel.${code}`)}
                </option>
              ))}
            </select>
          </div>
          <div className="ll-field">
            <label className="ll-label" htmlFor="follow-star">
              {t("clue.star")}
            </label>
            <select id="follow-star" className="ll-input" name="star" defaultValue={typed["star"] ?? clue.star}>
              {STARS.map((star) => (
                <option key={star} value={star}>
                  {star === 0 ? t("clue.stars.0") : starText(star)}
                </option>
              ))}
            </select>
          </div>
        </div>
        {/* Without scripts it is always shown, since nothing could show it later. */}
        <div className="ll-field crm-lost" data-needed={ends || undefined}>
          <label className="ll-label" htmlFor="follow-lost">
            {t("clue.lostReasonName")}
          </label>
          <select
            id="follow-lost"
            className="ll-input"
            name="lostReason"
            defaultValue={typed["lostReason"] ?? defaultOf(lostReasons) ?? ""}
            {...about("lostReason")}
          >
            <option value="">{t("clue.choose")}</option>
            {lostReasons.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          {wrong("lostReason")}
        </div>
        {isOpenStage(stage) && (
          <div className="ll-field">
            <label className="ll-label" htmlFor="follow-next">
              {t("clue.nextFollowAt")}
            </label>
            <DayInput
              id="follow-next"
              className="ll-input"
              withTime
              name="nextAt"
              onPick={(text) => planAs(text)}
              defaultValue={typed["nextAt"] ?? (begin["nextAt"] as string)}
              {...about("nextAt")}
            />
            <div className="mt-1 flex flex-wrap gap-3 noscript:hidden">
              {SOON.map(({ label, at }) => (
                <button key={label} type="button" className="ll-link" onClick={() => plan(at(Date.now()))}>
                  {t(label)}
                </button>
              ))}
            </div>
            {wrong("nextAt")}
          </div>
        )}
      </Fragment>
      <div className="ll-field crm-files">
        <span className="ll-label">{t("clue.files")}</span>
        <Upload
          label={t("clue.files")}
          name="files"
          bizType="clue_follow"
          max={followUpLimits.mostFiles}
          files={files}
          onChange={setFiles}
          onBusy={setIsUploading}
        />
        {wrong("fileIds")}
      </div>
      {isUploading && (
        <p className="ll-quiet" role="status">
          {t("ui.upload.wait")}
        </p>
      )}
      <div className="ll-form-bar">
        <Button type="submit" look="primary" busy={busy} disabled={isUploading} aria-keyshortcuts="Control+Enter">
          {t("clue.followSave")}
        </Button>
        <Button
          ref={nextButton}
          type="submit"
          name="then"
          value="next"
          disabled={busy || isUploading}
          aria-keyshortcuts="S Control+Shift+Enter"
        >
          {t("clue.followNext")}
        </Button>
      </div>
    </form>
  );
  // Keys pressed in a dialog do not reach the form.
  return (
    <>
      {entry}
      {overlays}
    </>
  );
}
