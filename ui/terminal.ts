/**
 * The dashboard's only door to the process. The command layer builds one from the real process;
 * tests hand in their own. Nothing below `ui/` reads globals.
 */

export type TerminalSignal = "SIGTERM" | "SIGHUP" | "SIGINT" | "SIGTSTP" | "SIGCONT";

/** Takes a handler away again. */
export type Unsubscribe = () => void;

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As `process.platform`. */
  readonly platform: string;
  onSignal(signal: TerminalSignal, handler: () => void): Unsubscribe;
  /**
   * Uncaught exceptions and unhandled rejections. While a handler is here it is the only one that
   * hears of them: the terminal must be given back before anybody writes words.
   */
  onFailure(handler: (failure: unknown) => void): Unsubscribe;
  /** The process's last moment; the handler is synchronous. */
  onExit(handler: () => void): Unsubscribe;
  /** Stops this process and what it was started with, as Ctrl-Z does; returns once it goes on. */
  stop(): void;
  /** Has the window's size looked at anew: a process that stands still is not told of a change. */
  measure(): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/**
 * Why this terminal can't show the dashboard, in words for stderr; `undefined` when it can.
 * A dumb terminal would print the escape sequences, and a pipe can't send single keys.
 */
export function terminalRefusal(terminal: Terminal): string | undefined {
  if (!terminal.stdin.isTTY) return "The dashboard needs a keyboard: stdin is not a terminal";
  if (!terminal.stdout.isTTY) return "The dashboard needs a screen: stdout is not a terminal";
  const name = terminal.env["TERM"] ?? "";
  if (terminal.platform !== "win32" && (name === "" || name === "dumb")) {
    const words = name === "" ? "TERM is not set" : `TERM is "${name}"`;
    return `The dashboard needs a terminal that can move its cursor: ${words}`;
  }
  return undefined;
}
