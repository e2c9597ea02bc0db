/** Follows an export task until it has ended, and saves its file. */
import { api } from "../lib/api";
import type { ExportRow } from "../lib/api-types";

/** Pauses before the polls of a task, in ms; the last one repeats. A small list is ready at the first or second poll. */
const PAUSES = [80, 120, 200, 400, 800, 1500];

/** Whether a task may still change. */
export function isUnderWay({ status }: Pick<ExportRow, "status">): boolean {
  return status === "queued" || status === "running";
}

/** The pause before poll number `index`, from 0. */
export function pauseBefore(index: number): number {
  return PAUSES[Math.min(index, PAUSES.length - 1)] ?? 0;
}

/** Polls a task until it has ended; calls `onTask` with every answer. Rejects with the signal's reason when it aborts. */
export async function follow(id: number, onTask: (task: ExportRow) => void, signal: AbortSignal): Promise<ExportRow> {
  for (let index = 0; ; index++) {
    await pause(pauseBefore(index), signal);
    const task = await api.get<ExportRow>(`/export/${id}`, undefined, { signal });
    onTask(task);
    if (!isUnderWay(task)) return task;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(done, ms);
    function done() {
      signal.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal.reason as Error);
    }
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Saves the file at an address of the server, under the name that the server gives it. */
export function save(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
