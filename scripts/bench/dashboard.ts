import { join } from "node:path";
import { keys, openTerminal, type OpenedTerminal } from "../../test/support/tty.ts";
import { compile, executable } from "../build/executable.ts";
import {
  besideFirst,
  besideFirstColumns,
  percentile,
  type Group,
  type Samples,
} from "./figures.ts";

const firstFrameCount = 20;
const keyCount = 100;
const moveCount = 20;
const idleMs = 60_000;
const cols = 120;
const rows = 40;
/** A frame is complete once this share of its rows has content. */
const filledShare = 0.5;

/** The home and the environment of a user who is signed in. */
export interface DashboardUser {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The time from spawn until the first frame is complete. */
export function firstFrame(directory: string, user: DashboardUser): Group {
  return {
    name: `first frame, ${cols}x${rows}, ${firstFrameCount} starts`,
    columns: besideFirstColumns,
    async measure() {
      const echo = join(directory, "echo");
      await compile("scripts/bench/echo.ts", echo);
      const baseline: number[] = [];
      const dashboard: number[] = [];
      for (let round = 0; round < firstFrameCount; round += 1) {
        baseline.push(await timeFrame(echo, user, (text) => text.includes("ready")));
        dashboard.push(await timeFrame(executable, user, isFrame));
      }
      return besideFirst([
        { name: "empty Bun program, one line", values: baseline },
        { name: "svc, dashboard", values: dashboard },
      ]);
    },
  };
}

/** The time from a key's byte until the first byte of the frame that answers it. */
export function keyToFrame(directory: string, user: DashboardUser): Group {
  return {
    name: `key to frame, ${keyCount} keys`,
    columns: besideFirstColumns,
    async measure() {
      const echo = join(directory, "echo");
      await compile("scripts/bench/echo.ts", echo);
      return besideFirst([
        await timeKeys("empty Bun program, one line", echo, user, {
          stands: (text) => text.includes("ready"),
        }),
        await timeKeys("svc, dashboard", executable, user, {
          stands: isFrame,
          opened: opensRecord,
        }),
      ]);
    },
  };
}

/** Bytes that one move of the cursor writes, and that an idle minute writes. */
export function bytesWritten(user: DashboardUser): Group {
  return {
    name: `bytes to the terminal, ${cols}x${rows}`,
    columns: ["p50", "most"],
    async measure() {
      await using terminal = await openOnRecords(user);
      const moves: number[] = [];
      const wholes: number[] = [];
      for (let count = 0; count < moveCount; count += 1) {
        const before = terminal.bytesWritten();
        terminal.write(count % 2 === 0 ? keys.down : keys.up);
        await terminal.waitFor(() => terminal.bytesWritten() > before);
        moves.push(terminal.bytesWritten() - before);
        // The details follow once the cursor rests.
        await terminal.waitForQuiet(300);
        wholes.push(terminal.bytesWritten() - before);
      }
      const before = terminal.bytesWritten();
      await Bun.sleep(idleMs);
      const idle = terminal.bytesWritten() - before;
      return [
        {
          name: `one move of the cursor, ${moveCount} moves`,
          figures: [percentile(moves, 0.5), Math.max(...moves)].map(bytes),
        },
        {
          name: "the same with the details that follow",
          figures: [percentile(wholes, 0.5), Math.max(...wholes)].map(bytes),
        },
        { name: "an idle minute", figures: [bytes(idle), bytes(idle)] },
      ];
    },
  };
}

function bytes(count: number): string {
  return `${count} B`;
}

/** A record that is selected, in the table: from here on each key moves the cursor. */
const opensRecord = (text: string) => /▸ B-\d/.test(text);

/** The dashboard with the list of the records open. */
export async function openOnRecords(user: DashboardUser): Promise<OpenedTerminal> {
  const terminal = open(executable, user);
  try {
    await openBenchRecords(terminal, isLoaded, opensRecord);
  } catch (error) {
    await terminal.close();
    throw error;
  }
  return terminal;
}

async function openBenchRecords(
  terminal: OpenedTerminal,
  stands: (text: string) => boolean,
  opened: ((text: string) => boolean) | undefined,
): Promise<void> {
  await terminal.waitFor(stands);
  await terminal.waitForQuiet(300);
  terminal.write(keys.enter);
  if (opened !== undefined) await terminal.waitFor(opened);
  await terminal.waitForQuiet(300);
}

/** A busy machine shows the first frame long before its rows. */
function isLoaded(text: string): boolean {
  return isFrame(text) && text.includes("││▸");
}

function isFrame(text: string): boolean {
  return text.split("\n").filter((row) => row !== "").length >= rows * filledShare;
}

function open(command: string, { home, env }: DashboardUser): OpenedTerminal {
  return openTerminal({ command, cols, rows, cwd: home, env });
}

async function timeFrame(
  command: string,
  user: DashboardUser,
  stands: (text: string) => boolean,
): Promise<number> {
  const startedAt = performance.now();
  await using terminal = open(command, user);
  await terminal.waitFor(stands);
  return performance.now() - startedAt;
}

async function timeKeys(
  name: string,
  command: string,
  user: DashboardUser,
  screens: {
    readonly stands: (text: string) => boolean;
    readonly opened?: (text: string) => boolean;
  },
): Promise<Samples> {
  await using terminal = open(command, user);
  await openBenchRecords(terminal, screens.stands, screens.opened);
  const values: number[] = [];
  for (let count = 0; count < keyCount; count += 1) {
    const before = terminal.bytesWritten();
    const startedAt = performance.now();
    terminal.write(count % 2 === 0 ? keys.down : keys.up);
    await terminal.waitFor(() => terminal.bytesWritten() > before);
    values.push(performance.now() - startedAt);
    await terminal.waitForQuiet(40);
  }
  return { name, values };
}
