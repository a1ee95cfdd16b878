import { MouseReports, type MouseReport } from "./kit/mouse/mouse-reports.ts";
import { PasteGuard, pasteStart } from "./paste-guard.ts";

/** Reads along what another reader takes from a terminal's keyboard, and ends its lost pastes. */
export class InputTap {
  readonly #stdin: NodeJS.ReadStream;
  /** The listeners, and the text that the input of each has. */
  readonly #listeners = new Map<(input: string) => void, string>();

  /** Takes the reports of a mouse out of the input; undefined without a mouse. */
  #mouse: ((chunk: string) => string) | undefined;

  /** Reports each click to the listener from now on; without one, no mouse is looked for. */
  watchMouse(listener: ((report: MouseReport) => void) | undefined): void {
    const reports = new MouseReports();
    this.#mouse = listener && ((chunk) => reports.take(chunk, listener));
  }

  constructor(stdin: NodeJS.ReadStream) {
    this.#stdin = stdin;
  }

  /** Calls the listener with the input that has the text `having`; without one, with each. */
  listen = (listener: (input: string) => void, having = ""): (() => void) => {
    this.#listeners.set(listener, having);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Passes on each chunk that `read` returns; the returned function ends that. A `data` listener
   * would keep the stream flowing while an editor has the terminal.
   */
  open(): () => void {
    const stdin = this.#stdin;
    const { read } = stdin;
    let lostEnd = "";
    const guard = new PasteGuard((end) => {
      lostEnd = end;
      stdin.emit("readable");
    });
    stdin.read = (size?: number): unknown => {
      const end = lostEnd;
      lostEnd = "";
      if (end !== "") return end;
      const chunk: unknown = read.call(stdin, size);
      if (typeof chunk !== "string") return chunk;
      for (const [listener, having] of this.#listeners) {
        if (chunk.includes(having)) listener(chunk);
      }
      // A paste may have the text of a report, which is text there.
      const isPaste = guard.isOpen || chunk.includes(pasteStart);
      return guard.pass(this.#mouse === undefined || isPaste ? chunk : this.#mouse(chunk));
    };
    return () => {
      guard.stop();
      stdin.read = read;
    };
  }
}

/**
 * Returns a listener of the keyboard that asks for the frame of a key at once. Otherwise a frame
 * that a change has used up just before would delay it for the time of a frame. Keys that follow
 * each other faster than `frameMs` share the usual frames.
 */
export function framesOfKeys(
  draw: () => Promise<unknown>,
  frameMs: number,
  now: () => number = () => performance.now(),
): () => void {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = now();
    if (nowMs - drawnAtMs < frameMs) return;
    drawnAtMs = nowMs;
    // The end of the screen has its own report.
    draw().catch(() => {});
  };
}
