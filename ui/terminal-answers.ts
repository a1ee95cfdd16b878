import type { Environment } from "./kit/theme/theme.ts";
import { Store } from "./kit/state/store.ts";
import { knownSignals, type BackgroundQuestion, type Terminal } from "./terminal.ts";

/** The first frame waits at most 20 ms for the answer; a timer may end 2 ms late. */
const answerMs = 18;
const groundQuestion = "\x1b]11;?\x1b\\";
/** Every terminal answers this one: after its answer, no other one is to be waited for. */
const attributesQuestion = "\x1b[c";
const attributes = /\x1b\[\?[\d;]*c/;
const groundAnswer =
  /\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})[^\x07\x1b]*(?:\x07|\x1b\\)/i;
/** The report of mode 2031: the user has chosen dark or light. */
const hasChanged = /\x1b\[\?997;[12]n/;
/** The report of a focus that comes back. */
const mayHaveChanged = /\x1b\[I/;

/** Sequences that follow changes of the terminal's colours, and that end it. */
export const colourReports = { on: "\x1b[?2031h", off: "\x1b[?2031l" } as const;

/** The Linux console and old terminals draw an operating system command as text. */
export function knowsCommands({ env }: Pick<Environment, "env">): boolean {
  return !/^(?:linux|vt\d|cons25|ansi|sun)/.test(env["TERM"] ?? "");
}

/** The background in an answer as `#rrggbb`. */
export function groundIn(input: string): string | undefined {
  const [, ...channels] = groundAnswer.exec(input) ?? [];
  if (channels.length === 0) return undefined;
  const bytes = channels.map((digits) => {
    const share = Number.parseInt(digits, 16) / (16 ** digits.length - 1);
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${bytes.join("")}`;
}

/** The background of the terminal, asked before the first frame and followed after it. */
export class TerminalGround implements BackgroundQuestion {
  readonly ground = new Store<string | undefined>(undefined);
  readonly #terminal: Pick<Terminal, "stdin" | "stdout" | "env">;
  readonly #answered = Promise.withResolvers<void>();
  #input = "";
  #isAsked = false;

  constructor(terminal: Pick<Terminal, "stdin" | "stdout" | "env">) {
    this.#terminal = terminal;
  }

  readonly #read = (): void => {
    const { stdin } = this.#terminal;
    for (let chunk: unknown = stdin.read(); chunk !== null; chunk = stdin.read()) {
      if (typeof chunk === "string") this.#input += chunk;
    }
    if (attributes.test(this.#input)) this.#answered.resolve();
  };

  ask(): void {
    if (this.#isAsked || !knowsCommands(this.#terminal)) return;
    this.#isAsked = true;
    const { stdin, stdout } = this.#terminal;
    stdin.setEncoding("utf8");
    stdin.on("readable", this.#read);
    stdout.write(groundQuestion + attributesQuestion);
  }

  async answer(): Promise<void> {
    if (!this.#isAsked) return;
    const { stdin } = this.#terminal;
    await Promise.race([this.#answered.promise, Bun.sleep(answerMs)]);
    stdin.off("readable", this.#read);
    this.ground.set(groundIn(this.#input));
    const typed = this.#input.replace(groundAnswer, "").replace(attributes, "");
    if (typed !== "") stdin.unshift(typed);
  }

  readonly onInput = (input: string): void => {
    const ground = groundIn(input);
    if (ground !== undefined) this.ground.set(ground);
    // A terminal that did not answer is not asked at each change of the focus.
    const isKnown = this.ground.get() !== undefined;
    if (hasChanged.test(input) || (isKnown && mayHaveChanged.test(input))) {
      this.#terminal.stdout.write(groundQuestion);
    }
  };
}

/** A terminal that was taken before the dashboard, which then takes it over or gives it back. */
export interface EarlyTerminal {
  readonly ground: BackgroundQuestion;
  /** The dashboard restores the terminal from now on. */
  readonly handOver: () => void;
  /** Gives the terminal back if no dashboard takes it. */
  readonly end: () => Promise<void>;
}

/**
 * Asks for the background while the dashboard is still loaded, whose first frame then need not wait
 * for the answer. Until `handOver`, each end of the process restores the terminal; a signal waits
 * for the answer, which the shell would get otherwise.
 */
export function askEarly(terminal: Terminal): EarlyTerminal {
  const ground = new TerminalGround(terminal);
  const restore = (): void => {
    try {
      terminal.stdin.setRawMode(false);
    } catch {
      // The window may be gone.
    }
  };
  const end = async (): Promise<void> => {
    await ground.answer();
    restore();
    terminal.stdin.pause();
    handOver();
  };
  let isEnding = false;
  const cleanups = [
    terminal.onExit(restore),
    ...knownSignals().map(([signal, code]) =>
      terminal.onSignal(signal, () => {
        if (isEnding) return terminal.exit(code);
        isEnding = true;
        void end().finally(() => terminal.exit(code));
      }),
    ),
  ];
  const handOver = (): void => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  terminal.stdin.setRawMode(true);
  ground.ask();
  return { ground, handOver, end };
}
