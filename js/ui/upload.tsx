/**
 * Uploading: files are chosen, dropped or pasted; uploads show their progress and can be cancelled,
 * and files can be removed. A chunk of its own, loaded with the form it is part of.
 */
import { type ClipboardEvent, type DragEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";

import { ApiError, api } from "../lib/api";
import type { StoredFile } from "../lib/api-types";
import { bytes } from "../lib/format";
import { useT } from "../lib/i18n";
import { uploadLimits } from "../lib/limits";
import { FILES, HEIC, isOfType, PICTURES, upload } from "../lib/upload";
import { Button, IconButton } from "./button";
import { Icon } from "./icon";

interface UploadProps {
  /** Says what is to be uploaded. */
  label: string;
  /** Its name in a form that the browser sends: without a script it is an input like any other. */
  name?: string;
  hint?: string;
  /** The kind of record the files are for, as the server names it. */
  bizType?: string;
  /** Only pictures are accepted. */
  pictures?: boolean;
  /** The most files; absent: 1. If it is 1, a new file replaces the one before. */
  max?: number;
  files: readonly StoredFile[];
  onChange: (files: readonly StoredFile[]) => void;
  /** Called when uploads begin and end: a form waits for them. */
  onBusy?: (busy: boolean) => void;
}

/** A file that is being uploaded, or whose upload failed. */
interface Sending {
  id: number;
  name: string;
  size: number;
  part: number;
  error: string | null;
  abort: AbortController;
}

export function Upload({ label, name, hint, bizType, pictures = false, max = 1, files, onChange, onBusy }: UploadProps) {
  const t = useT();
  const id = useId();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [over, setOver] = useState(false);
  const lastId = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  // The current files, for an upload that ends after they have changed.
  const now = useRef(files);
  useEffect(() => {
    now.current = files;
  }, [files]);
  const going = useRef(new Set<AbortController>());
  useEffect(() => {
    const all = going.current;
    return () => all.forEach((controller) => controller.abort());
  }, []);
  const busy = sending.some(({ error }) => error === null);
  const report = useEffectEvent((busy: boolean) => onBusy?.(busy));
  useEffect(() => {
    if (!busy) return;
    report(true);
    return () => report(false);
  }, [busy]);

  const accept = pictures ? PICTURES : FILES;
  const change = (id: number, changes: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const drop = (id: number) => setSending((all) => all.filter((one) => one.id !== id));

  const wrongWith = (file: File): string | null => {
    if (isOfType(file.name, HEIC)) return t("ui.upload.heic");
    if (!isOfType(file.name, accept)) return t(pictures ? "ui.upload.noPicture" : "ui.upload.wrongType");
    return file.size > uploadLimits.maxFile ? t("ui.upload.tooLarge") : null;
  };

  const send = async (file: File) => {
    const one: Sending = {
      id: ++lastId.current,
      name: file.name,
      size: file.size,
      part: 0,
      error: wrongWith(file),
      abort: new AbortController(),
    };
    setSending((all) => [...all.filter(({ error }) => max > 1 || error === null), one]);
    if (one.error !== null) return;
    going.current.add(one.abort);
    try {
      const stored = await upload(file, { bizType, signal: one.abort.signal, tell: (part) => change(one.id, { part }) });
      drop(one.id);
      now.current = max === 1 ? [stored] : [...now.current, stored].slice(0, max);
      onChange(now.current);
    } catch (error) {
      if (one.abort.signal.aborted) drop(one.id);
      else change(one.id, { error: error instanceof ApiError ? error.desc : t("ui.failed") });
    } finally {
      going.current.delete(one.abort);
    }
  };

  const take = (given: readonly File[]) => {
    const room = max === 1 ? 1 : max - files.length - sending.filter(({ error }) => error === null).length;
    for (const file of given.slice(0, Math.max(0, room))) void send(file);
  };

  // Takes files that were chosen before the script was loaded.
  const takeChosen = useEffectEvent(() => {
    if (!input.current?.files?.length) return;
    take([...input.current.files]);
    input.current.value = "";
  });
  useEffect(() => takeChosen(), []);

  const remove = (file: StoredFile) => {
    onChange(files.filter((one) => one.id !== file.id));
    // Deletes a file that no record has, instead of waiting for the sweep; a record's file is released when the record is saved.
    api.del(`/common/file/${file.id}`, undefined, { quiet: true }).catch(() => {});
    input.current?.focus();
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    take(pasted);
  };

  return (
    <div className="ll-upload">
      <label
        className={over ? "ll-upload-zone is-over" : "ll-upload-zone"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        onPaste={onPaste}
      >
        <input
          ref={input}
          type="file"
          name={name}
          className="ll-upload-input"
          accept={accept}
          multiple={max > 1}
          aria-label={label}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            take([...(target.files ?? [])]);
            // The same file can be chosen again.
            target.value = "";
          }}
        />
        <Icon name="upload" />
        <span className="ll-upload-choose">{t("ui.upload.choose")}</span>
        <span className="ll-hint" id={`${id}-hint`}>
          {hint ?? t(pictures ? "ui.upload.picturesHint" : "ui.upload.filesHint")}
        </span>
      </label>
      <ul className="ll-upload-list">
        {files.map((file) => (
          <li key={file.id}>
            {file.mime.startsWith("image/") ? <img src={file.url} alt="" width="40" height="40" /> : <Icon name="list" />}
            <span className="ll-upload-name">{file.name}</span>
            {file.size > 0 && <span className="ll-quiet">{bytes(file.size)}</span>}
            <IconButton icon="trash" label={t("ui.upload.remove", { name: file.name })} onClick={() => remove(file)} />
          </li>
        ))}
        {sending.map(({ id, name, size, part, error, abort }) => (
          <li key={id}>
            <span className="ll-upload-name">{name}</span>
            {error === null ? (
              <>
                <progress className="ll-progress" aria-label={t("ui.upload.progress", { name })} max={1} value={part} />
                <span className="ll-quiet">{bytes(size)}</span>
                <Button small onClick={() => abort.abort()}>
                  {t("ui.cancel")}
                </Button>
              </>
            ) : (
              <>
                <span className="ll-error" role="alert">
                  {error}
                </span>
                <IconButton icon="close" label={t("ui.upload.remove", { name })} onClick={() => drop(id)} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
