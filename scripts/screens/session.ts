import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userEnvironment } from "../../test/support/environment.ts";
import {
  keys,
  openTerminal,
  type OpenedTerminal,
  type TerminalCell,
} from "../../test/support/tty.ts";
import { executable } from "../build/executable.ts";
import type { TerminalPalette } from "./palettes.ts";

/** A step of a person, whose screen is drawn once it is at rest. */
export interface Step {
  /** The name of the picture. */
  readonly name: string;
  /** The caption of the picture. */
  readonly words: string;
  /** Keys in their order; a pause follows each. `text:` types what follows letter by letter. */
  readonly keys: readonly string[];
  /** A text that the screen has in the end, at every size. */
  readonly shows?: RegExp;
  /** The time in which it shows that, for work such as the recognition of a scan. */
  readonly withinMs?: number;
}

/** A scripted use of the dashboard, from its start to its end. */
export interface Session {
  readonly name: string;
  readonly words: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of the profile before the start, as `svc config set` takes them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A page as HTML, whose picture the person has as the file `scanned-letter.png`. */
  readonly scanned?: string;
  readonly steps: readonly Step[];
}

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

/** The screen of a step. */
export interface Screen {
  readonly step: string;
  readonly cells: readonly (readonly TerminalCell[])[];
  readonly text: string;
  /** The PNG that the program gave to the terminal last, for the placeholders on the screen. */
  readonly png: Uint8Array | undefined;
  /** Whether it shows what its step expects. */
  readonly isExpected: boolean;
}

const restMs = 250;
const keyRestMs = 80;
/** An animation or a late answer does not hold a session up for longer. */
const patienceMs = 8_000;
const typed = "text:";
const scannedName = "scanned-letter.png";
/** Files that the person can upload. */
const files: readonly (readonly [name: string, text: string])[] = [
  ["boathouse-survey.md", "# The boathouse\n\nThe roof of the boathouse is made of copper.\n"],
  ["letter-to-highways.txt", "The copper roof must be inspected before 3 March 2027.\n"],
  ["replies.csv", "who,reply\nCounty Highways,no objection\n"],
];

/** Yields the screen of each step of a session, in its own home, which is removed at the end. */
export async function* playSession(
  { args, env, settings = {}, steps }: Session,
  { cols, rows }: ScreenSize,
  palette: TerminalPalette,
  scan: Uint8Array | undefined,
): AsyncGenerator<Screen> {
  const home = await mkdtemp(join(tmpdir(), "svc-screens-"));
  try {
    for (const [name, text] of files) await Bun.write(join(home, name), text);
    if (scan !== undefined) await Bun.write(join(home, scannedName), scan);
    const variables = userEnvironment(home, { ...palette.env, ...env, TMPDIR: home });
    for (const [name, value] of Object.entries(settings)) {
      const { exited } = Bun.spawn([executable, "config", "set", name, value], {
        env: variables,
        stdio: ["ignore", "ignore", "inherit"],
      });
      if ((await exited) !== 0) throw new Error(`the setting ${name} was refused`);
    }
    await using terminal = openTerminal({
      command: executable,
      args,
      cols,
      rows,
      cwd: home,
      env: variables,
      background: { colour: palette.background },
    });
    for (const step of steps) {
      await press(terminal, step.keys);
      const isExpected = await comes(terminal, step);
      await rest(terminal, restMs);
      yield {
        step: step.name,
        cells: cellsOf(terminal, { cols, rows }),
        text: terminal.text(),
        png: placedPicture(terminal.raw()),
        isExpected,
      };
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The last PNG in kitty's protocol that lies over placeholders; undefined without one. */
export function placedPicture(output: string): Uint8Array | undefined {
  const from = output.lastIndexOf("\x1b_Ga=T,U=1");
  if (from === -1) return undefined;
  const pieces = output.slice(from).matchAll(/\x1b_G[^;\x1b]*m=([01]);([^\x1b]*)\x1b\\/g);
  let data = "";
  for (const [, more, piece = ""] of pieces) {
    data += piece;
    if (more === "0") break;
  }
  return Buffer.from(data, "base64");
}

async function press(terminal: OpenedTerminal, pressed: readonly string[]): Promise<void> {
  for (const key of pressed) {
    if (key.startsWith(typed)) await terminal.type(key.slice(typed.length));
    else terminal.write(key);
    await rest(terminal, key === keys.escape ? 2 * keyRestMs : keyRestMs);
  }
}

/** Gives the program time to begin, and waits until it has written nothing for as long. */
async function rest(terminal: OpenedTerminal, forMs: number): Promise<void> {
  await Bun.sleep(forMs);
  await terminal.waitForQuiet(forMs, { timeoutMs: patienceMs }).catch(() => {});
}

async function comes(
  terminal: OpenedTerminal,
  { shows, withinMs = patienceMs }: Step,
): Promise<boolean> {
  if (shows === undefined) return true;
  return await terminal.waitFor(shows, { timeoutMs: withinMs }).then(
    () => true,
    () => false,
  );
}

function cellsOf(terminal: OpenedTerminal, { cols, rows }: ScreenSize): TerminalCell[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (__, column) => terminal.cell(row, column)),
  );
}
