export const pasteStart = "\x1b[200~";
const pasteEnd = "\x1b[201~";
/** The start of a marker that a chunk may end with. */
const tailLength = pasteStart.length - 1;
/** Limit of the characters of one paste. No field takes so many, so it is refused whole. */
const maximumCharacters = 1_000_000;
/** A paste without its end is over when nothing more of it has arrived for this time. */
const silentMs = 1_000;
/** Single characters that arrive faster are a slow line, others are typed. */
const typedMs = 60;

/** `dropping`: the paste is larger than the limit, and its end has not arrived. */
type State = "none" | "open" | "dropping";

/**
 * Ends bracketed pastes whose end was lost: Ink waits for it, and would take every key for a part
 * of the paste. Ctrl-C, a silence of 1 s and 1,000,000 characters each end a paste.
 */
export class PasteGuard {
  readonly #onLost: (end: string) => void;
  readonly #nowMs: () => number;
  #state: State = "none";
  #tail = "";
  #size = 0;
  #lastMs = 0;
  #isEndMissing = false;
  #timer: NodeJS.Timeout | undefined;

  /** `onLost` receives the missing end, which the reader of the keyboard must get next. */
  constructor(onLost: (end: string) => void, nowMs: () => number = () => performance.now()) {
    this.#onLost = onLost;
    this.#nowMs = nowMs;
  }

  /** Returns the chunk with the ends that it lacks, and without what is over the limit. */
  pass(chunk: string): string {
    if (this.#state !== "none" && /^\x03+$/.test(chunk)) {
      const end = this.#state === "open" ? pasteEnd : "";
      this.#close(true);
      return `${end}${chunk}`;
    }
    let passed = "";
    let rest = chunk;
    while (rest !== "") {
      const length = this.#lengthUpTo(this.#state === "none" ? pasteStart : pasteEnd, rest);
      const part = rest.slice(0, length);
      passed += this.#state === "none" ? this.#typed(part) : this.#pasted(part);
      this.#tail = length === undefined ? `${this.#tail}${part}`.slice(-tailLength) : "";
      if (length === undefined) break;
      if (this.#state === "none") this.#open();
      else this.#close(false);
      rest = rest.slice(length);
    }
    if (this.#state !== "none") this.#wait(chunk);
    return passed;
  }

  /** True until the end of a paste has arrived. */
  get isOpen(): boolean {
    return this.#state !== "none";
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** The length of the text up to and with a marker, which may begin in the chunk before it. */
  #lengthUpTo(marker: string, text: string): number | undefined {
    const at = `${this.#tail}${text}`.indexOf(marker);
    return at === -1 ? undefined : at + marker.length - this.#tail.length;
  }

  /** The late end of a paste that was given up: the text before it is no key. */
  #typed(part: string): string {
    if (!this.#isEndMissing || !part.includes(pasteEnd)) return part;
    this.#isEndMissing = false;
    return `${pasteStart}${part}`;
  }

  #pasted(part: string): string {
    if (this.#state === "dropping") return "";
    this.#size += part.length;
    if (this.#size <= maximumCharacters + pasteEnd.length) return part;
    this.#state = "dropping";
    return `${part.slice(0, part.length - this.#size + maximumCharacters)}${pasteEnd}`;
  }

  #open(): void {
    this.#state = "open";
    this.#size = 0;
  }

  #close(isEndMissing: boolean): void {
    this.#state = "none";
    this.#tail = "";
    this.#isEndMissing = isEndMissing;
    clearTimeout(this.#timer);
  }

  #wait(chunk: string): void {
    const nowMs = this.#nowMs();
    const isTyped = chunk.length === 1 && nowMs - this.#lastMs > typedMs;
    this.#lastMs = nowMs;
    if (isTyped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const wasOpen = this.#state === "open";
      this.#close(true);
      if (wasOpen) this.#onLost(pasteEnd);
    }, silentMs);
  }
}
