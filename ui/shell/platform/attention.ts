/** Reports of terminals that know whether they have the focus (mode 1004). */
const focusReport = /\x1b\[([IO])/g;
/** A terminal without focus reports counts as looked at for this long after a key. */
const typedMs = 60_000;

/** Whether the user looks at the dashboard: its terminal has the focus, or the user types. */
export class Attention {
  readonly #listeners = new Set<() => void>();
  readonly #now: () => number;
  #focus: "in" | "out" | "unknown" = "unknown";
  #typedAtMs: number;
  #isLooking = true;
  #clock: ReturnType<typeof setTimeout> | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#typedAtMs = now();
    this.check();
  }

  isLooking = (): boolean => this.#isLooking;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes note of the terminal's input: keys and focus reports. */
  read = (input: string): void => {
    const [report] = [...input.matchAll(focusReport)].slice(-1);
    if (report !== undefined) this.#focus = report[1] === "I" ? "in" : "out";
    if (input.replaceAll(focusReport, "") !== "") {
      this.#typedAtMs = this.#now();
      // The focus may have returned without a report, as after another program had the terminal.
      if (report === undefined && this.#focus === "out") this.#focus = "unknown";
    }
    this.check();
  };

  /** Computes the state again, and later once more where it depends on the time. */
  check(): void {
    clearTimeout(this.#clock);
    const leftMs = this.#typedAtMs + typedMs - this.#now();
    const isTyping = this.#focus === "unknown" && leftMs > 0;
    if (isTyping) {
      this.#clock = setTimeout(() => this.check(), leftMs);
      this.#clock.unref();
    }
    const isLooking = this.#focus === "in" || isTyping;
    if (isLooking === this.#isLooking) return;
    this.#isLooking = isLooking;
    for (const listener of this.#listeners) listener();
  }
}
