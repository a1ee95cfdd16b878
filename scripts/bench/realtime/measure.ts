import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { processMemory, untilIdle, usedMicroseconds } from "#test/support/process-use.ts";
import { milliseconds, percentile, renderGroup, type Row } from "../figures.ts";
import { enginePlace, overDatabase, type DrillPlace } from "../drills/engines.ts";
import { preparePlatform, type BenchPlatform } from "../platform.ts";

export interface RealtimeOptions {
  /** The number of subscribers by server-sent events. */
  readonly streams: number;
  readonly sockets: number;
  readonly seconds: number;
  readonly engines: readonly string[];
}

const changesPerSecond = 100;
/** Each change matches one filter of so many. */
export const filters = 100;
export const realtimeColumns = ["p50", "p99", "memory each", "received", "server CPU"];
/** Subscribers that have left before the memory is measured. */
const warmUpCount = 300;
const goalP99Ms = 100;
const goalKiB = 20;

/**
 * `npm run bench -- realtime`: subscribers of one workspace by server-sent events and by WebSocket
 * at 100 changes per second, of which each filter matches 1 in 100. Throws if events are lost, and
 * if the p99 from commit to receipt or the memory for each subscriber is above its goal.
 */
export async function benchRealtime(directory: string, options: RealtimeOptions): Promise<void> {
  const rows: Row[] = [];
  const faults: string[] = [];
  for (const engine of options.engines) {
    const place = await enginePlace(join(directory, "realtime"), engine);
    if (place === undefined) continue;
    for (const isSocket of [false, true]) {
      const found = await overDatabase(place, (args) =>
        measureKind(place, args, { ...options, isSocket }),
      );
      rows.push(found.row);
      faults.push(...found.faults);
    }
  }
  const group = { name: "realtime, commit to receipt", columns: realtimeColumns };
  console.log(`${renderGroup(group, rows)}\n`);
  if (faults.length > 0) throw new Error(`realtime: ${faults.join("; ")}`);
}

/** Subscribers of one kind at a platform on its own. */
export async function measureKind(
  { name: engine, directory }: DrillPlace,
  args: readonly string[],
  { isSocket, streams, sockets, seconds }: RealtimeOptions & { readonly isSocket: boolean },
): Promise<{ readonly row: Row; readonly faults: string[] }> {
  const count = isSocket ? sockets : streams;
  const name = `${count.toLocaleString("en")} by ${isSocket ? "WebSocket" : "SSE"}, ${engine}`;
  const place = join(directory, `by-${isSocket ? "socket" : "stream"}`);
  await mkdir(place);
  const limits = ["user", "workspace"].map((who) => `--${who}-streams=${count}`);
  const platform = await preparePlatform(place, [...args, ...limits, "--threads=1"]);
  try {
    const measured = await measure(platform, { count, isSocket, seconds });
    const { p99, kib, received, expected } = measured;
    const faults: string[] = [];
    if (received < expected) faults.push(`${name}: ${expected - received} events are lost`);
    if (p99 > goalP99Ms) faults.push(`${name}: p99 is ${milliseconds(p99)}`);
    if (kib > goalKiB) faults.push(`${name}: ${kib.toFixed(1)} KiB each`);
    return { row: { name, figures: figuresOf(measured) }, faults };
  } finally {
    await platform.running.stop();
  }
}

async function measure(
  { running, token, tenantId, client, objectType }: BenchPlatform,
  { count, isSocket, seconds }: { count: number; isSocket: boolean; seconds: number },
): Promise<Measured> {
  const paths = Array.from({ length: filters }, (_, filter) => {
    const where = JSON.stringify({ reference: `R-${filter}` });
    const query = new URLSearchParams({ tenant_id: tenantId, types: objectType, where });
    return `/v4/realtime/events?${query.toString()}`;
  });
  const records = client.useResources(objectType);
  const port = Number(new URL(running.url).port);
  const program = join(import.meta.dirname, "subscribers.ts");
  const input = { port, paths, token, isSocket };
  // The first streams compile code and open connections to the database, which all others share.
  const { child } = await openSubscribers(program, { ...input, count: warmUpCount });
  child.kill();
  await child.exited;
  return measureSubscribers({
    pid: running.pid,
    program,
    input: { ...input, count },
    count,
    seconds,
    change: (filter) => records.create({ reference: `R-${filter}` }),
  });
}

export interface Subscription {
  /** The server whose memory and processor time count. */
  readonly pid: number;
  /** A program that opens the subscriptions, prints `open`, and then the times after a line. */
  readonly program: string;
  readonly input: object;
  readonly count: number;
  readonly seconds: number;
  /** Makes a change that matches this filter. */
  change(filter: number): Promise<unknown>;
}

export interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly kib: number;
  readonly received: number;
  readonly expected: number;
  readonly cpu: string;
}

/** Resolves when all subscriptions are open; the caller ends the process. */
async function openSubscribers(program: string, input: object) {
  const child = Bun.spawn([process.execPath, program, JSON.stringify(input)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const first = await lines.read();
  if (first.value?.startsWith("open") === true) return { child, lines };
  child.kill();
  throw new Error("the streams did not open");
}

/** The figures of a row in the columns of {@link realtimeColumns}. */
export function figuresOf({ p50, p99, kib, received, expected, cpu }: Measured): string[] {
  const share = `${received}/${expected}`;
  return [milliseconds(p50), milliseconds(p99), `${kib.toFixed(1)} KiB`, share, cpu];
}

/** Makes changes at a steady rate, of which each subscriber has 1 in {@link filters}. */
export async function measureSubscribers(subscription: Subscription): Promise<Measured> {
  const { pid, program, input, count, seconds, change } = subscription;
  await untilIdle(pid);
  const before = (await processMemory(pid)).own;
  const { child, lines } = await openSubscribers(program, input);
  try {
    await untilIdle(pid);
    const opened = (await processMemory(pid)).own;
    const cpuBefore = await usedMicroseconds(pid);
    const changing: Promise<unknown>[] = [];
    const beganMs = performance.now();
    const changes = seconds * changesPerSecond;
    for (let at = 0; at < changes; at += 1) {
      changing.push(change(at % filters));
      const dueMs = beganMs + ((at + 1) * 1000) / changesPerSecond;
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
    }
    await Promise.all(changing);
    const usedSeconds = ((await usedMicroseconds(pid)) - cpuBefore) / 1e6;
    const lastedSeconds = (performance.now() - beganMs) / 1000;
    await Bun.sleep(2_000);
    await child.stdin.write("end\n");
    await child.stdin.flush();
    let text = "";
    for (;;) {
      const { value, done } = await lines.read();
      if (done) break;
      text += value;
    }
    const times = JSON.parse(text) as number[];
    return {
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      kib: (opened - before) / count / 1024,
      received: times.length,
      expected: (changes * count) / filters,
      cpu: `${Math.round((100 * usedSeconds) / lastedSeconds)} %`,
    };
  } finally {
    child.kill();
  }
}
