import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { keys, openTerminal, type OpenedTerminal } from "../../../test/support/tty.ts";
import { compile, executable } from "../../build/executable.ts";
import { installTools, programOf } from "../../tools.ts";

export const cols = 120;
export const rows = 40;
/** A frame is complete once this share of its rows has content. */
const filledShare = 0.5;
const files = 500;
const lines = 5_000;

/** The home and the environment of a user who is signed in. */
export interface DashboardUser {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program of a terminal that is measured: the dashboard, or one that it is compared with. */
export interface MeasuredProgram {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The keys that move its cursor, unless they are the usual ones. */
  readonly arrows?: { readonly down: string; readonly up: string };
  /** Whether a screen is its first complete one. */
  readonly isFrame: (text: string) => boolean;
  /** Goes to the list in which the cursor moves. */
  readonly enter?: (terminal: OpenedTerminal) => Promise<void>;
}

/** Starts the program; `isSilent` is a terminal that answers no question. */
export function start(
  { command, args = [], cwd, env }: MeasuredProgram,
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): OpenedTerminal {
  return openTerminal({
    command,
    args,
    cols,
    rows,
    cwd,
    env: env ?? {},
    isSilent,
    ...(isSilent ? {} : { background: { colour: "#161b22" } }),
  });
}

/** A screen of which half of the rows have content. */
export function isFilled(text: string): boolean {
  return text.split("\n").filter((row) => row !== "").length >= rows * filledShare;
}

/** A record that is selected, in the table: from here on each key moves the cursor. */
const hasRecord = /▸ B-\d/;

export function dashboardOf({ home, env }: DashboardUser): MeasuredProgram {
  return {
    name: "svc, dashboard",
    command: executable,
    cwd: home,
    env: env ?? {},
    isFrame: isFilled,
    enter: async (terminal) => {
      // A busy machine shows the first frame long before its rows.
      await terminal.waitFor(/││▸/);
      await terminal.waitForQuiet(300);
      // The dashboard begins where it ended before: in the list, Enter would open a record.
      if (!hasRecord.test(terminal.text())) terminal.write(keys.enter);
      await terminal.waitFor(hasRecord);
      await terminal.waitForQuiet(300);
    },
  };
}

/** The dashboard with the list of the records open. */
export async function openOnRecords(user: DashboardUser): Promise<OpenedTerminal> {
  const program = dashboardOf(user);
  const terminal = start(program);
  try {
    await terminal.waitFor(program.isFrame);
    await program.enter?.(terminal);
  } catch (error) {
    await terminal.close();
    throw error;
  }
  return terminal;
}

/** The baseline of the dashboard, compiled into the directory. */
export async function bareInk(directory: string): Promise<MeasuredProgram> {
  const command = join(directory, "bare-ink");
  await compile("scripts/bench/dashboard/bare-ink.tsx", command);
  return { name: "bare Ink, 5,000 rows", command, cwd: directory, isFrame: isFilled };
}

/** The bare Ink program, and those of Debian that this machine has or can install. */
export async function otherPrograms(directory: string): Promise<readonly MeasuredProgram[]> {
  const place = join(directory, "others");
  await mkdir(join(place, "files"), { recursive: true });
  const text = Array.from({ length: lines }, (_, at) => `B-${at}  ${at % 400} Quay Street\n`);
  await Bun.write(join(place, "lines.txt"), text.join(""));
  for (let file = 0; file < files; file += 1) {
    await Bun.write(join(place, "files", `record-${file}.txt`), "");
  }
  const debian: readonly (MeasuredProgram & { readonly debianPackage: string })[] = [
    {
      name: "vim, 5,000 lines",
      command: "vim",
      debianPackage: "vim",
      args: ["-u", "NONE", "-N", "-c", "set cursorline", "lines.txt"],
      cwd: place,
      env: { HOME: place },
      isFrame: isFilled,
    },
    {
      name: "mc, 500 files",
      command: "mc",
      debianPackage: "mc",
      args: ["--nosubshell", "files", "files"],
      // It knows the keys of the terminal's application mode alone.
      arrows: { down: "\x1bOB", up: "\x1bOA" },
      cwd: place,
      env: { HOME: place },
      isFrame: (screen) => screen.includes("Quit"),
    },
    {
      name: "htop",
      command: "htop",
      debianPackage: "htop",
      cwd: place,
      env: { HOME: place },
      isFrame: (screen) => screen.includes("Quit"),
    },
  ];
  await installTools(debian.map(({ command, debianPackage }) => programOf(command, debianPackage)));
  return [await bareInk(place), ...debian.filter(({ command }) => Bun.which(command) !== null)];
}
