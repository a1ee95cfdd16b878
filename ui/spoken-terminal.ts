import type { KeyHub } from "./kit/keys/key-hub.ts";
import { answerLines, frameLines, newLines } from "./kit/spoken/frame-lines.ts";
import { keysOfLine } from "./kit/spoken/line-keys.ts";
import type { Terminal } from "./terminal.ts";

/** A screen of this width shows one pane at a time. */
const columns = 96;
const rows = 32;
/** A frame is read once no other one has followed for this time, or after the longest wait. */
const settledMs = 150;
const latestMs = 1_000;
/** The least time between two reports of changes that no line of the user has asked for. */
const reportMs = 5_000;

const introduction = [
  "The dashboard as lines. Type a line and Enter: the number of a row opens it, a key or the name",
  "of an action does it, and text fills the field that asks for it. ? lists the keys, a dot",
  "before a key presses it in a field too (.esc leaves it), and q leaves the dashboard.",
];

/** The object with other members; functions of the rest keep the object as `this`. */
function overlaid<Target extends object>(target: Target, own: Partial<Target>): Target {
  return new Proxy(target, {
    get: (real, name): unknown => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value: unknown = Reflect.get(real, name);
      return typeof value === "function" ? value.bind(real) : value;
    },
    set: (_real, name, value) => Reflect.set(own, name, value),
  });
}

/**
 * A terminal that is read and written in lines: the dashboard draws its frames on it, and what is
 * new in them is appended to the real one, which gets no control sequence that moves its cursor.
 */
export class SpokenTerminal {
  readonly terminal: Terminal;
  readonly #real: Terminal;
  #hub: KeyHub | undefined;
  /** The lines of the last frame, and those that were written. */
  #drawn: readonly string[] = [];
  #written: readonly string[] = [];
  #typed = "";
  #isBusy = false;
  #isAsked = true;
  #writtenAtMs = 0;
  #drawnAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(real: Terminal) {
    this.#real = real;
    const { stdin, stdout } = real;
    this.terminal = {
      ...real,
      isSpoken: true,
      stdin: overlaid<Terminal["stdin"]>(stdin, { setRawMode: () => stdin, read: this.#read }),
      stdout: overlaid<Terminal["stdout"]>(stdout, { columns, rows, write: this.#write }),
    };
    this.#append(introduction);
  }

  /** The keys that lines are translated with. */
  follow(hub: KeyHub): void {
    this.#hub = hub;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #append(lines: readonly string[]): void {
    if (lines.length > 0) this.#real.stdout.write(`${lines.join("\n")}\n`);
  }

  readonly #write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    // A write to the clipboard draws nothing (OSC 52).
    if (text.startsWith("\x1b]52;")) this.#real.stdout.write(text);
    else {
      const lines = frameLines(text);
      if (lines.length > 0) this.#take(lines);
    }
    for (const done of rest) if (typeof done === "function") done();
    return true;
  };

  #take(lines: readonly string[]): void {
    this.#drawn = lines;
    this.#drawnAtMs ||= Date.now();
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const waitMs = Math.min(settledMs, this.#drawnAtMs + latestMs - now);
    const pauseMs = this.#isAsked ? 0 : this.#writtenAtMs + reportMs - now;
    this.#timer = setTimeout(() => this.#settle(), Math.max(0, waitMs, pauseMs));
  }

  #settle(): void {
    const read = this.#isAsked ? answerLines : newLines;
    const lines = read(this.#written, this.#drawn);
    if (lines.length > 0) {
      this.#append(this.#isAsked ? ["", ...lines] : lines);
      this.#writtenAtMs = Date.now();
    }
    this.#written = this.#drawn;
    this.#drawnAtMs = 0;
    if (this.#isBusy) this.#isAsked = false;
    this.#isBusy = false;
    if (this.#typed.includes("\n")) this.#real.stdin.emit("readable");
  }

  readonly #read = (size?: number): string | null => {
    const chunk: unknown = this.#real.stdin.read(size);
    if (typeof chunk === "string") this.#typed += chunk;
    while (!this.#isBusy) {
      const end = this.#typed.indexOf("\n");
      if (end === -1) return null;
      const line = this.#typed.slice(0, end);
      this.#typed = this.#typed.slice(end + 1);
      const keys = keysOfLine(line, {
        lines: this.#drawn,
        typing: this.#hub?.typing,
        bindings: this.#hub?.bindings.get() ?? [],
      });
      if ("refusal" in keys) this.#append([keys.refusal]);
      else {
        this.#isBusy = true;
        this.#isAsked = true;
        this.#drawnAtMs = Date.now();
        this.#later();
        return keys.input;
      }
    }
    return null;
  };
}
