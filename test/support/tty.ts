import { constants } from "node:os";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/headless";
import { cleanEnvironment } from "./environment.ts";

/** The command for the pseudo-terminal, and its window size. */
export interface TerminalOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Number of columns, 80 by default. */
  readonly cols?: number;
  /** Number of rows, 24 by default. */
  readonly rows?: number;
  /** Laid over `cleanEnvironment()`; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Answers the question for focus reports with one at once, as some terminals do. */
  readonly reportsFocus?: boolean;
  /** The background that is reported to each question for it, as `#rrggbb`; none without it. */
  readonly background?: { colour: string };
  /** Answers no question at all. */
  readonly isSilent?: boolean;
}

/** One character cell; colours are palette numbers or 0xRRGGBB, -1 the terminal's default. */
export interface TerminalCell {
  readonly text: string;
  readonly width: number;
  readonly foreground: number;
  readonly background: number;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

/** The state the program has put the terminal into; all must be given back at its end. */
export interface TerminalModes {
  readonly alternateScreen: boolean;
  readonly cursorHidden: boolean;
  /** The line discipline neither echoes nor waits for Enter. */
  readonly raw: boolean;
  readonly bracketedPaste: boolean;
  readonly autowrap: boolean;
  readonly mouse: boolean;
}

export interface WaitOptions {
  /** How long to wait before failing with the screen as it then stands; 30,000 unless given. */
  readonly timeoutMs?: number;
}

/** A program in a pseudo-terminal: tests read its screen and send it keys. */
export interface OpenedTerminal extends AsyncDisposable {
  readonly pid: number;
  /** The visible rows of the last whole frame, top to bottom, each without trailing blanks. */
  screen(): string[];
  /** The visible rows as one string, joined by newlines. */
  text(): string;
  /** The cell at a zero-based row and column of the visible screen. */
  cell(row: number, column: number): TerminalCell;
  /** Zero-based position of the cursor. */
  cursor(): { row: number; column: number };
  /** The window title last set by the program. */
  title(): string;
  modes(): TerminalModes;
  /** Everything the program has written so far, escape sequences and all. */
  raw(): string;
  /** How many bytes the program has written so far. */
  bytesWritten(): number;
  /** Sends the keys in one burst, as a paste or fast typing arrives. */
  write(keys: string): void;
  /** Sends the text one grapheme at a time, as a person types. */
  type(text: string): Promise<void>;
  resize(cols: number, rows: number): void;
  kill(signal?: NodeJS.Signals): void;
  /** Waits until the screen has the text, matches, or satisfies the predicate. */
  waitFor(
    wanted: string | RegExp | ((screen: string) => boolean),
    options?: WaitOptions,
  ): Promise<void>;
  /** Waits until the program has written nothing for `forMs`. */
  waitForQuiet(forMs?: number, options?: WaitOptions): Promise<void>;
  /** The exit code, 128 + number for a signal, once all output has been read. */
  readonly exitCode: Promise<number>;
  /** Ends the program if it still runs, and frees the terminal. */
  close(): Promise<void>;
}

/** Names for the keys a test presses: `terminal.write(keys.down)`. */
export const keys = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  backTab: "\x1b[Z",
  backspace: "\x7f",
  delete: "\x1b[3~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  space: " ",
  ctrl: (letter: string): string => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
  paste: (text: string): string => `\x1b[200~${text}\x1b[201~`,
} as const;

const ICANON = 0o2;
const ECHO = 0o10;
const typingPauseMs = 5;
/** DEC private mode: while it is set, a frame is being drawn. */
const synchronizedOutput = 2026;
/** DEC private mode: the terminal reports when it gets and loses the focus. */
const focusReports = 1004;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A program whose output an emulator shows. */
export interface TerminalProgram {
  readonly pid: number;
  /** The exit code, 128 + number for a signal, once all output has been read. */
  readonly exited: Promise<number>;
  isRaw(): boolean;
  write(keys: string): void;
  resize(cols: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  close(): void;
}

/**
 * Starts a program in a real pseudo-terminal whose screen is kept by a terminal emulator.
 * Close it in the test (`await using terminal = openTerminal(…)` does), or it lives on.
 */
export function openTerminal(options: TerminalOptions): OpenedTerminal {
  return emulateTerminal(options, (onOutput) => startProgram(options, onOutput));
}

function startProgram(
  { command, args = [], cols = 80, rows = 24, env, cwd }: TerminalOptions,
  onOutput: (bytes: Uint8Array) => void,
): TerminalProgram {
  let drained: () => void = () => {};
  const end = new Promise<void>((resolve) => (drained = resolve));
  const child = Bun.spawn([command, ...args], {
    env: cleanEnvironment({ TERM: "xterm-256color", COLORTERM: "truecolor", ...env }),
    ...(cwd === undefined ? {} : { cwd }),
    terminal: {
      cols,
      rows,
      name: "xterm-256color",
      data: (_terminal, data) => onOutput(data.slice()),
      exit: () => drained(),
    },
  });
  const terminal = child.terminal;
  if (terminal === undefined) throw new Error("the runtime opened no pseudo-terminal");
  return {
    pid: child.pid,
    exited: child.exited.then(async (code) => {
      // The last bytes may still be in the kernel when the process is gone.
      await Promise.race([end, Bun.sleep(200)]);
      return child.signalCode === null ? code : 128 + signalNumber(child.signalCode);
    }),
    isRaw: () => !terminal.closed && (terminal.localFlags & (ICANON | ECHO)) === 0,
    write: (sent) => void (terminal.closed || terminal.write(sent)),
    resize: (newCols, newRows) => terminal.resize(newCols, newRows),
    kill: (signal) => child.kill(signal),
    close: () => void (terminal.closed || terminal.close()),
  };
}

/** Shows the output of a program, which `start` starts, in a terminal emulator. */
export function emulateTerminal(
  options: Omit<TerminalOptions, "command" | "args" | "env" | "cwd">,
  start: (onOutput: (bytes: Uint8Array) => void) => TerminalProgram,
): OpenedTerminal {
  const { cols = 80, rows = 24, reportsFocus = false, background, isSilent = false } = options;
  const emulator = new Terminal({ cols, rows, allowProposedApi: true, scrollback: 1_000 });
  emulator.loadAddon(new Unicode11Addon());
  emulator.unicode.activeVersion = "11";
  const privateModes = followPrivateModes(emulator);
  const isDrawing = (): boolean => privateModes.get(synchronizedOutput) === true;

  const chunks: Uint8Array[] = [];
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  let bytes = 0;
  let unparsed = 0;
  let lastOutputAt = performance.now();
  let title = "";
  // A wait reads the screen 50 times per second, which changes with parsed output only.
  let readText: string | undefined;

  const program = start((output) => {
    chunks.push(output);
    bytes += output.byteLength;
    lastOutputAt = performance.now();
    unparsed += 1;
    emulator.write(output, () => {
      unparsed -= 1;
      readText = undefined;
      changed();
    });
  });
  // A real terminal answers questions (cursor position, device attributes); so does this one.
  if (!isSilent) emulator.onData((answer) => program.write(answer));
  if (reportsFocus) {
    emulator.parser.registerCsiHandler({ prefix: "?", final: "h" }, (parameters) => {
      if (parameters.includes(focusReports)) program.write("\x1b[I");
      return false;
    });
  }
  if (background !== undefined) {
    emulator.parser.registerOscHandler(11, (question) => {
      const channels = background.colour.match(/[\da-f]{2}/gi) ?? [];
      if (question === "?") program.write(`\x1b]11;rgb:${channels.join("/")}\x1b\\`);
      return true;
    });
  }
  emulator.onTitleChange((text) => (title = text));

  let finished: number | undefined;
  const exitCode = program.exited.then(async (code) => {
    while (unparsed > 0) await Bun.sleep(1);
    finished = code;
    readText = undefined;
    changed();
    return finished;
  });

  const drawnRows = (): string[] => {
    const buffer = emulator.buffer.active;
    return Array.from({ length: emulator.rows }, (_, row) =>
      (
        buffer.getLine(buffer.baseY + row)?.translateToString(true, 0, emulator.cols) ?? ""
      ).trimEnd(),
    );
  };
  // Like a terminal that knows synchronized output: no frame is seen half drawn.
  let lastFrame: string[] | undefined;
  emulator.parser.registerCsiHandler({ prefix: "?", final: "h" }, (parameters) => {
    if (!isDrawing() && parameters.includes(synchronizedOutput)) lastFrame = drawnRows();
    return false;
  });
  const screen = (): string[] =>
    isDrawing() && finished === undefined && lastFrame !== undefined ? lastFrame : drawnRows();
  const text = (): string => (readText ??= screen().join("\n"));
  const raw = (): string => new TextDecoder().decode(Buffer.concat(chunks));

  function waitUntil(holds: () => boolean, what: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure?: string): void => {
        listeners.delete(check);
        clearTimeout(timer);
        clearInterval(poll);
        if (failure === undefined) resolve();
        else reject(new Error(`${failure} while waiting for ${what}; the screen was:\n${text()}`));
      };
      const check = (): void => {
        if (holds()) settle();
        else if (finished !== undefined) settle(`the program ended with exit code ${finished}`);
      };
      const timer = setTimeout(() => settle(`${timeoutMs} ms passed`), timeoutMs);
      // Modes of the line discipline change without any output.
      const poll = setInterval(check, 20);
      listeners.add(check);
      check();
    });
  }

  const opened: OpenedTerminal = {
    pid: program.pid,
    exitCode,
    screen,
    text,
    raw,
    bytesWritten: () => bytes,
    title: () => title,
    cursor: () => ({ row: emulator.buffer.active.cursorY, column: emulator.buffer.active.cursorX }),
    cell: (row, column) => readCell(emulator, row, column),
    modes: () => ({
      alternateScreen: emulator.buffer.active.type === "alternate",
      cursorHidden: privateModes.get(25) === false,
      raw: program.isRaw(),
      bracketedPaste: emulator.modes.bracketedPasteMode,
      autowrap: emulator.modes.wraparoundMode,
      mouse: emulator.modes.mouseTrackingMode !== "none",
    }),
    write: (sent) => program.write(sent),
    async type(typed) {
      for (const { segment } of graphemes.segment(typed)) {
        program.write(segment);
        await Bun.sleep(typingPauseMs);
      }
    },
    resize(newCols, newRows) {
      emulator.resize(newCols, newRows);
      readText = undefined;
      program.resize(newCols, newRows);
    },
    kill: (signal = "SIGTERM") => program.kill(signal),
    waitFor(wanted, { timeoutMs = 30_000 } = {}) {
      if (typeof wanted === "function") {
        return waitUntil(() => wanted(text()), "the screen to satisfy the predicate", timeoutMs);
      }
      const holds = (): boolean =>
        typeof wanted === "string" ? text().includes(wanted) : wanted.test(text());
      return waitUntil(
        holds,
        typeof wanted === "string" ? JSON.stringify(wanted) : String(wanted),
        timeoutMs,
      );
    },
    waitForQuiet: (forMs = 100, { timeoutMs = 30_000 } = {}) =>
      waitUntil(
        () => unparsed === 0 && performance.now() - lastOutputAt >= forMs,
        `${forMs} ms without output`,
        timeoutMs,
      ),
    async close() {
      if (finished === undefined) program.kill("SIGKILL");
      await exitCode;
      program.close();
      emulator.dispose();
    },
    [Symbol.asyncDispose]: () => opened.close(),
  };
  return opened;
}

/** Remembers each DEC private mode the program has set or reset, such as 25 for the cursor. */
function followPrivateModes(emulator: Terminal): ReadonlyMap<number, boolean> {
  const modes = new Map<number, boolean>();
  for (const final of ["h", "l"] as const) {
    emulator.parser.registerCsiHandler({ prefix: "?", final }, (parameters) => {
      for (const mode of parameters.flat()) modes.set(mode, final === "h");
      return false;
    });
  }
  return modes;
}

function readCell(emulator: Terminal, row: number, column: number): TerminalCell {
  const buffer = emulator.buffer.active;
  const cell = buffer.getLine(buffer.baseY + row)?.getCell(column);
  if (cell === undefined) throw new Error(`the screen has no cell at row ${row}, column ${column}`);
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    foreground: cell.isFgDefault() ? -1 : cell.getFgColor(),
    background: cell.isBgDefault() ? -1 : cell.getBgColor(),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}

function signalNumber(signal: NodeJS.Signals | number): number {
  return typeof signal === "number" ? signal : constants.signals[signal];
}
