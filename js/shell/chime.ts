/** A sound of two notes for something new, synthesised by the browser: no file, no download. */

/** Frequency in hertz and beginning in seconds of each note. */
const NOTES = [
  [880, 0],
  [1318.5, 0.18],
] as const;
const NOTE_S = 0.5;
const LOUDNESS = 0.16;

let context: AudioContext | undefined;

/**
 * Plays the notes. A browser that allows no sound before the user has done something plays them at
 * the first press of a key or a button, if `isWanted` still says so.
 */
export function chime(isWanted: () => boolean): void {
  if (navigator.userActivation?.hasBeenActive ?? true) {
    void play();
    return;
  }
  const ready = new AbortController();
  const gesture = ({ target }: Event) => {
    ready.abort();
    // A user who closes the notification needs no sound for it.
    const isClosing = target instanceof Element && target.closest(".app-notices") !== null;
    if (isWanted() && !isClosing) void play();
  };
  for (const kind of ["pointerup", "keydown"]) addEventListener(kind, gesture, { signal: ready.signal });
}

async function play(): Promise<void> {
  try {
    context ??= new AudioContext();
    await context.resume();
    for (const [frequency, after] of NOTES) note(context, frequency, context.currentTime + after);
  } catch (error) {
    // The machine has no sound: the notification is shown anyway.
    console.info("no sound", error);
  }
}

/** One note that begins at once and fades like a bell. */
function note(on: AudioContext, frequency: number, at: number): void {
  const tone = new OscillatorNode(on, { type: "sine", frequency });
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_S);
  tone.connect(volume).connect(on.destination);
  tone.start(at);
  tone.stop(at + NOTE_S);
}
