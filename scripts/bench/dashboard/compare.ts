import { keys } from "../../../test/support/tty.ts";
import { processMemory } from "../../../test/support/process-use.ts";
import { mebibytes, milliseconds, percentile, type Group, type Row } from "../figures.ts";
import { timeFrame } from "./first-frame.ts";
import {
  dashboardOf,
  otherPrograms,
  start,
  type DashboardUser,
  type MeasuredProgram,
} from "./programs.ts";

const startCount = 20;
const keyCount = 60;
const restMs = 250;
const idleMs = 60_000;

/** Goals of the dashboard, as its row has them. */
const goals: Row = {
  name: "goals of svc",
  figures: ["70.0 ms", "20.0 ms", "12.0 ms", "200 B + 2 x list", "6,000 B", "300 B", "80.0 MiB"],
};

/** The figures of the dashboard next to a bare Ink program and programs of Debian. */
export function comparedPrograms(directory: string, user: DashboardUser): Group {
  return {
    name: `programs of a terminal, ${startCount} starts, ${keyCount} keys`,
    columns: [
      "first frame p50",
      "wait for the terminal",
      "key to frame p95",
      "one move, most",
      "with details, most",
      "idle minute",
      "private memory",
    ],
    async measure() {
      const programs = [...(await otherPrograms(directory)), dashboardOf(user)];
      // One after the other, but for the minute in which none does anything.
      const moved: (Row & { idle: () => Promise<readonly string[]> })[] = [];
      for (const program of programs) moved.push(await measureOne(program));
      const rows = await Promise.all(
        moved.map(async ({ name, figures, idle }) => ({
          name,
          figures: [...figures, ...(await idle())],
        })),
      );
      return [...rows, goals];
    },
  };
}

async function measureOne(program: MeasuredProgram) {
  const answered: number[] = [];
  const silent: number[] = [];
  for (let round = 0; round < startCount; round += 1) {
    answered.push((await timeFrame(program)).frame);
    silent.push((await timeFrame(program, { isSilent: true })).frame);
  }
  const first = percentile(answered, 0.5);
  const terminal = start(program);
  await terminal.waitFor(program.isFrame);
  await program.enter?.(terminal);
  await terminal.waitForQuiet(300, { timeoutMs: 2_000 }).catch(() => {});
  const { down, up } = program.arrows ?? keys;
  const times: number[] = [];
  const moves: number[] = [];
  const wholes: number[] = [];
  for (let count = 0; count < keyCount; count += 1) {
    const before = terminal.bytesWritten();
    const startedAt = performance.now();
    terminal.write(count % 2 === 0 ? down : up);
    await terminal.waitFor(() => terminal.bytesWritten() > before);
    times.push(performance.now() - startedAt);
    moves.push(terminal.bytesWritten() - before);
    // The details follow once the cursor rests; a key before them might share their frame.
    await terminal.waitForQuiet(restMs, { timeoutMs: 1_000 }).catch(() => {});
    wholes.push(terminal.bytesWritten() - before);
  }
  const wait = percentile(silent, 0.5) - first;
  const figures = [
    milliseconds(first),
    milliseconds(Math.max(0, wait)),
    milliseconds(percentile(times, 0.95)),
    bytes(Math.max(...moves)),
    bytes(Math.max(...wholes)),
  ];
  const idle = async (): Promise<readonly string[]> => {
    const before = terminal.bytesWritten();
    await Bun.sleep(idleMs);
    const written = terminal.bytesWritten() - before;
    const { own } = await processMemory(terminal.pid);
    await terminal.close();
    return [bytes(written), mebibytes(own)];
  };
  return { name: program.name, figures, idle };
}

export function bytes(count: number): string {
  return `${count.toLocaleString("en")} B`;
}
