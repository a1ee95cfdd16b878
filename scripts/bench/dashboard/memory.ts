import { join } from "node:path";
import { keys, type OpenedTerminal } from "../../../test/support/tty.ts";
import { openOnRecords, type DashboardUser } from "./programs.ts";
import { mebibytes, type Group, type Row } from "../figures.ts";
import { recordCount, recordData, type BenchPlatform } from "../platform.ts";
import { processMemory, type ProcessMemory } from "#test/support/process-use.ts";
import { compile } from "../../build/executable.ts";

const batchSize = 1_000;
const warmUpMs = 30_000;
const target = 80 * 1024 * 1024;

/** The work of an operator in a long list. */
const steps: readonly ((terminal: OpenedTerminal) => Promise<void>)[] = [
  (terminal) => press(terminal, keys.pageDown, 30),
  (terminal) => press(terminal, keys.down, 40),
  (terminal) => press(terminal, "G", 1),
  (terminal) => press(terminal, keys.pageUp, 20),
  async (terminal) => {
    await press(terminal, keys.enter, 1);
    await press(terminal, "]", 4);
    await press(terminal, keys.escape, 1);
  },
  async (terminal) => {
    await press(terminal, "/", 1);
    await terminal.type("status:open");
    await press(terminal, keys.enter, 1);
    await press(terminal, keys.pageDown, 10);
    await press(terminal, keys.escape, 1);
  },
  (terminal) => press(terminal, "g", 1),
];

async function press(terminal: OpenedTerminal, key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    terminal.write(key);
    await Bun.sleep(60);
  }
  await terminal.waitForQuiet(150);
}

async function fill({ client, objectType }: BenchPlatform, records: number): Promise<void> {
  const resources = client.useResources(objectType);
  for (let first = recordCount; first < records; first += batchSize) {
    const count = Math.min(batchSize, records - first);
    await resources.batchCreate(
      Array.from({ length: count }, (_, offset) => recordData(first + offset)),
    );
  }
}

/**
 * Memory of the dashboard over minutes of scrolling, filtering and opening in a long list, next to
 * a program that waits. The goal is for private memory: the rest of resident memory is pages of the
 * executable, which the system takes back when it needs them.
 */
export function dashboardMemory(
  user: DashboardUser,
  platform: BenchPlatform,
  {
    directory,
    records,
    minutes,
  }: { readonly directory: string; readonly records: number; readonly minutes: number },
): Group {
  return {
    name: `dashboard, ${records.toLocaleString("en")} records, ${minutes} minutes`,
    columns: ["private, first half", "private, second half", "resident", "peak"],
    async measure() {
      const baseline = memoryRow("empty Bun program, waiting", [await idleMemory(directory)]);
      await fill(platform, records);
      await using terminal = await openOnRecords(user);
      const samples: ProcessMemory[] = [];
      const startedAt = performance.now();
      let rounds = 0;
      while (performance.now() - startedAt < minutes * 60_000) {
        for (const step of steps) {
          await step(terminal);
          if (performance.now() - startedAt < Math.min(warmUpMs, minutes * 20_000)) continue;
          samples.push(await processMemory(terminal.pid));
        }
        rounds += 1;
      }
      const verdict = most(samples, "own") <= target ? "within" : "above";
      const name = `svc, dashboard, ${rounds} rounds (${verdict} ${mebibytes(target)} private)`;
      return [baseline, memoryRow(name, samples)];
    },
  };
}

function most(samples: readonly ProcessMemory[], field: keyof ProcessMemory): number {
  return Math.max(...samples.map((sample) => sample[field]));
}

function memoryRow(name: string, samples: readonly ProcessMemory[]): Row {
  const half = Math.floor(samples.length / 2);
  return {
    name,
    figures: [
      most(samples.slice(0, Math.max(1, half)), "own"),
      most(samples.slice(half), "own"),
      most(samples, "resident"),
      most(samples, "peak"),
    ].map(mebibytes),
  };
}

async function idleMemory(directory: string): Promise<ProcessMemory> {
  const program = join(directory, "idle");
  await compile("scripts/bench/idle.ts", program);
  const child = Bun.spawn([program], { stdio: ["ignore", "ignore", "ignore"] });
  try {
    await Bun.sleep(1_000);
    return await processMemory(child.pid);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}
