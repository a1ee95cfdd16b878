import { constants } from "node:os";

/** The dashboard's only access to the process; the command layer or a test provides it. */

/**
 * Signals whose default action ends the process. Those of a fault in the program itself (SIGSEGV,
 * SIGBUS, SIGILL, SIGFPE, SIGTRAP) are not here: the code after a handler would fault again. Bun
 * has no handlers for SIGSTKFLT and the real-time signals, and SIGPWR does not end it.
 */
export const endSignals = [
  "SIGTERM",
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGALRM",
  "SIGVTALRM",
  "SIGPROF",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGUSR1",
  "SIGUSR2",
  "SIGIO",
  "SIGSYS",
  "SIGABRT",
] as const;

export type EndSignal = (typeof endSignals)[number];

/** The exit code of a process that this signal has ended. */
export function signalExitCode(signal: EndSignal): number {
  return 128 + constants.signals[signal];
}

/** The signals that this system has, each with its exit code; other systems lack some of them. */
export function knownSignals(): readonly (readonly [EndSignal, number])[] {
  const known = endSignals.filter((signal) => constants.signals[signal] !== undefined);
  return known.map((signal) => [signal, signalExitCode(signal)]);
}

export type TerminalSignal = EndSignal | "SIGTSTP" | "SIGCONT";

export type Unsubscribe = () => void;

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** It takes whole frames and gets no sequences; its lines are read aloud. */
  readonly isSpoken?: boolean;
  onSignal(signal: TerminalSignal, handler: () => void): Unsubscribe;
  /**
   * Uncaught exceptions and unhandled rejections. The handler is the only one while it is set,
   * since the terminal must be restored before a message is written.
   */
  onFailure(handler: (failure: unknown) => void): Unsubscribe;
  /** Exit of the process; the handler is synchronous. */
  onExit(handler: () => void): Unsubscribe;
  /** Reports whether another program has the terminal, and so gets the keyboard's signals. */
  lend(isLent: boolean): void;
  /** Stops the process group as Ctrl-Z does; returns once it is continued. */
  stop(): void;
  /** Reads the window size again: a stopped process gets no signal of a change. */
  measure(): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** The question for the terminal's background, and its answer. */
export interface BackgroundQuestion {
  /** The background as `#rrggbb`; undefined while the terminal has not reported it. */
  readonly ground: {
    readonly get: () => string | undefined;
    readonly subscribe: (listener: () => void) => () => void;
  };
  /** Asks a terminal in raw mode, which would echo its answer in another one; only once. */
  ask(): void;
  /** Waits up to 20 ms for the answer. Keys that arrived meanwhile stay for the next reader. */
  answer(): Promise<void>;
  /** Reads a late answer, and asks again when the colours may have changed. */
  onInput(input: string): void;
}

/** Why this terminal can't show the dashboard, as a message for stderr; `undefined` when it can. */
export function terminalRefusal(terminal: Terminal): string | undefined {
  if (!terminal.stdin.isTTY) return "The dashboard needs a keyboard: stdin is not a terminal";
  if (!terminal.stdout.isTTY) return "The dashboard needs a screen: stdout is not a terminal";
  if (terminal.isSpoken === true) return undefined;
  const name = terminal.env["TERM"] ?? "";
  if (terminal.platform !== "win32" && (name === "" || name === "dumb")) {
    const words = name === "" ? "TERM is not set" : `TERM is "${name}"`;
    return `The dashboard needs a terminal that can move its cursor: ${words}`;
  }
  return undefined;
}
