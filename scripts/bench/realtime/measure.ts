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
const filters = 100;
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
  const columns = ["p50", "p99", "memory each", "received", "server CPU"];
  console.log(`${renderGroup({ name: "realtime, commit to receipt", columns }, rows)}\n`);
  if (faults.length > 0) throw new Error(`realtime: ${faults.join("; ")}`);
}

async function measureKind(
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
    const { p50, p99, kib, received, expected, cpu } = await measure(platform, {
      count,
      isSocket,
      seconds,
    });
    const share = `${received}/${expected}`;
    const figures = [milliseconds(p50), milliseconds(p99), `${kib.toFixed(1)} KiB`, share, cpu];
    const faults: string[] = [];
    if (received < expected) faults.push(`${name}: ${expected - received} events are lost`);
    if (p99 > goalP99Ms) faults.push(`${name}: p99 is ${milliseconds(p99)}`);
    if (kib > goalKiB) faults.push(`${name}: ${kib.toFixed(1)} KiB each`);
    return { row: { name, figures }, faults };
  } finally {
    await platform.running.stop();
  }
}

async function measure(
  { running, token, tenantId, client, objectType }: BenchPlatform,
  { count, isSocket, seconds }: { count: number; isSocket: boolean; seconds: number },
) {
  const paths = Array.from({ length: filters }, (_, filter) => {
    const where = JSON.stringify({ reference: `R-${filter}` });
    const query = new URLSearchParams({ tenant_id: tenantId, types: objectType, where });
    return `/v4/realtime/events?${query.toString()}`;
  });
  await untilIdle(running.pid);
  const before = (await processMemory(running.pid)).own;
  const input = { port: Number(new URL(running.url).port), paths, token, count, isSocket };
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dirname, "subscribers.ts"), JSON.stringify(input)],
    { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
  );
  try {
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const first = await lines.read();
    if (first.value?.startsWith("open") !== true) throw new Error("the streams did not open");
    await untilIdle(running.pid);
    const opened = (await processMemory(running.pid)).own;
    const cpuBefore = await usedMicroseconds(running.pid);
    const records = client.useResources(objectType);
    const creating: Promise<unknown>[] = [];
    const beganMs = performance.now();
    const changes = seconds * changesPerSecond;
    for (let change = 0; change < changes; change += 1) {
      creating.push(records.create({ reference: `R-${change % filters}` }));
      const dueMs = beganMs + ((change + 1) * 1000) / changesPerSecond;
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
    }
    await Promise.all(creating);
    const usedSeconds = ((await usedMicroseconds(running.pid)) - cpuBefore) / 1e6;
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
