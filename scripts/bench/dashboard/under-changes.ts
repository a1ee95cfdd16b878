import { setTimeout } from "node:timers/promises";
import { keys, type OpenedTerminal } from "../../../test/support/tty.ts";
import { processMemory } from "../../../test/support/process-use.ts";
import { mebibytes, milliseconds, percentile, type Group } from "../figures.ts";
import type { BenchPlatform } from "../platform.ts";
import { bytes } from "./compare.ts";
import { openOnRecords, type DashboardUser } from "./programs.ts";

const changesPerSecond = 100;
const keyEveryMs = 200;
const memoryParts = 6;
const minuteMs = 60_000;
/** The newest records, which the list shows. */
const changedRecords = 30;

/** The dashboard while others change the records that it shows. */
export function underChanges(user: DashboardUser, platform: BenchPlatform, minutes: number): Group {
  return {
    name: `dashboard at ${changesPerSecond} changes per second, ${minutes} min`,
    columns: [
      "bytes per second",
      "keys lost",
      "key to frame p95",
      "private, in six parts of the time",
    ],
    async measure() {
      await using terminal = await openOnRecords(user);
      const figures = await watch(terminal, platform, minutes);
      const goals = ["4,096 B", "0", "", "80.0 MiB, flat"];
      return [
        { name: "svc, dashboard", figures },
        { name: "goals of svc", figures: goals },
      ];
    },
  };
}

async function watch(
  terminal: OpenedTerminal,
  platform: BenchPlatform,
  minutes: number,
): Promise<readonly string[]> {
  const ending = new AbortController();
  const changed = changeRecords(platform, ending.signal);
  // The first second has the answers to the changes before the list knows the stream.
  await Bun.sleep(1_000);
  const memory = sampleMemory(terminal.pid, (minutes * minuteMs) / memoryParts, ending.signal);
  // Keys have their own frames, so that the rate is taken without them.
  const quietMs = Math.min(20_000, (minutes * minuteMs) / 3);
  const before = terminal.bytesWritten();
  await Bun.sleep(quietMs);
  const rate = ((terminal.bytesWritten() - before) * 1000) / quietMs;
  const { lost, times } = await pressKeys(terminal, minutes * minuteMs - quietMs);
  ending.abort();
  await changed;
  return [
    bytes(Math.round(rate)),
    String(lost),
    milliseconds(percentile(times, 0.95)),
    (await memory).map((own) => mebibytes(own)).join(", "),
  ];
}

/** The private memory at the start and after each period, and at the end. */
async function sampleMemory(pid: number, everyMs: number, ending: AbortSignal): Promise<number[]> {
  const samples: number[] = [];
  const sample = async (): Promise<void> => {
    samples.push((await processMemory(pid)).own);
  };
  while (!ending.aborted) {
    await sample();
    await setTimeout(everyMs, undefined, { signal: ending }).catch(() => {});
  }
  await sample();
  return samples;
}

/** Moves down and up, and writes a filter letter by letter, whose text shows each lost key. */
async function pressKeys(
  terminal: OpenedTerminal,
  forMs: number,
): Promise<{ readonly lost: number; readonly times: readonly number[] }> {
  const endsAt = performance.now() + forMs;
  const times: number[] = [];
  let lost = 0;
  while (performance.now() < endsAt) {
    for (let count = 0; count < 20; count += 1) {
      const startedAt = performance.now();
      const selected = selectedRecord(terminal.text());
      terminal.write(count % 2 === 0 ? keys.down : keys.up);
      const moved = terminal.waitFor((text) => selectedRecord(text) !== selected, {
        timeoutMs: 2_000,
      });
      await moved.then(
        () => times.push(performance.now() - startedAt),
        () => (lost += 1),
      );
      await Bun.sleep(keyEveryMs);
    }
    const word = "reference:B-0000";
    terminal.write("/");
    await Bun.sleep(keyEveryMs);
    await terminal.type(word);
    await Bun.sleep(2 * keyEveryMs);
    if (!terminal.text().includes(word)) lost += 1;
    terminal.write(keys.escape);
    await Bun.sleep(2 * keyEveryMs);
  }
  return { lost, times };
}

function selectedRecord(text: string): string {
  return /▸.?B-\d+/.exec(text)?.[0] ?? "";
}

/** Changes the newest records until the signal. */
async function changeRecords(
  { client, objectType, ids }: BenchPlatform,
  signal: AbortSignal,
): Promise<void> {
  const resources = client.useResources(objectType);
  const newest = ids.slice(-changedRecords);
  const beganAt = performance.now();
  for (let at = 0; !signal.aborted; at += 1) {
    const id = newest[at % newest.length] ?? "";
    await resources.patch(id, { area: at % 100_000 });
    const dueMs = beganAt + ((at + 1) * 1000) / changesPerSecond;
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
  }
}
