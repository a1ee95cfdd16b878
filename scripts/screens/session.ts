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
}

/** A scripted use of the dashboard, from its start to its end. */
export interface Session {
  readonly name: string;
  readonly words: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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
  /** Whether it shows what its step expects. */
  readonly isExpected: boolean;
}

const restMs = 250;
const keyRestMs = 80;
/** An animation or a late answer does not hold a session up for longer. */
const patienceMs = 8_000;
const typed = "text:";
/** Files that the person can upload. */
const files: readonly (readonly [name: string, text: string])[] = [
  ["boathouse-survey.md", "# The boathouse\n\nThe roof of the boathouse is made of copper.\n"],
  ["letter-to-highways.txt", "The copper roof must be inspected before 3 March 2027.\n"],
  ["replies.csv", "who,reply\nCounty Highways,no objection\n"],
];

/** Yields the screen of each step of a session, in its own home, which is removed at the end. */
export async function* playSession(
  { args, env, steps }: Session,
  { cols, rows }: ScreenSize,
  palette: TerminalPalette,
): AsyncGenerator<Screen> {
  const home = await mkdtemp(join(tmpdir(), "svc-screens-"));
  try {
    for (const [name, text] of files) await Bun.write(join(home, name), text);
    await using terminal = openTerminal({
      command: executable,
      args,
      cols,
      rows,
      cwd: home,
      env: userEnvironment(home, { ...palette.env, ...env, TMPDIR: home }),
      background: { colour: palette.background },
    });
    for (const step of steps) {
      await press(terminal, step.keys);
      const isExpected = await comes(terminal, step.shows);
      await rest(terminal, restMs);
      yield {
        step: step.name,
        cells: cellsOf(terminal, { cols, rows }),
        text: terminal.text(),
        isExpected,
      };
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
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

async function comes(terminal: OpenedTerminal, wanted: RegExp | undefined): Promise<boolean> {
  if (wanted === undefined) return true;
  return await terminal.waitFor(wanted, { timeoutMs: patienceMs }).then(
    () => true,
    () => false,
  );
}

function cellsOf(terminal: OpenedTerminal, { cols, rows }: ScreenSize): TerminalCell[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (__, column) => terminal.cell(row, column)),
  );
}
