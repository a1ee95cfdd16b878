import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres, startPostgres } from "../../postgres.ts";
import { mebibytes, milliseconds, percentile, renderGroup, type Row } from "../figures.ts";
import { load, wireRequest, type WireRequest } from "../load.ts";
import { preparePlatform, recordData, type BenchPlatform } from "../platform.ts";
import { forgetPeak, peakBytes, untilIdle, usedMicroseconds } from "#test/support/process-use.ts";
import { prepareHostile } from "./attacks.ts";
import type { HostileOrder } from "./caller.ts";

const victims = 50;
const victimRequestsPerSecond = 500;
const warmUpMs = 2_000;

/** The limits that a row is held to, next to the control: the same flood on another platform. */
const goalP99Ms = 50;
const goalOfControl = 2;
const goalPeakMiB = 600;

export interface HostileOptions {
  readonly durationMs: number;
  readonly engines: readonly string[];
  /** A part of the names of the attacks to run. */
  readonly attack: string;
}

/**
 * `npm run bench -- hostile`: 50 callers get, list and create in one workspace, 500 times per
 * second, while a caller of another workspace does its worst. Each answer has to come; its time
 * counts from its turn. The control of each row is the same flood on another platform of this
 * machine: what is slower than that comes from sharing a platform.
 */
export async function benchHostileTenant(
  directory: string,
  options: HostileOptions,
): Promise<void> {
  if (options.engines.includes("sqlite")) {
    await measureEngine("SQLite", directory, options, async () => []);
  }
  if (!options.engines.includes("postgresql")) return;
  const folder = await findPostgres();
  if (folder === undefined) return console.log("PostgreSQL: there is no server here");
  const cluster = await startPostgres(folder);
  try {
    await measureEngine("PostgreSQL", directory, options, async (name) => [
      `--database-url=${await cluster.createDatabase(name)}`,
    ]);
  } finally {
    await cluster.stop();
  }
}

async function measureEngine(
  name: string,
  directory: string,
  { durationMs, attack }: HostileOptions,
  argsOf: (name: string) => Promise<string[]>,
): Promise<void> {
  const platforms: BenchPlatform[] = [];
  try {
    for (const side of ["shared", "control"]) {
      const place = join(directory, `${side}-${name}`.toLowerCase());
      await mkdir(place);
      platforms.push(await preparePlatform(place, await argsOf(side)));
    }
    const [shared, control] = platforms;
    if (shared === undefined || control === undefined) throw new Error("a platform is missing");
    const attacks = Object.entries(await prepareHostile(shared));
    const controls = await prepareHostile(control);
    const quiet = await measured(shared, undefined, durationMs);
    const rows = [rowOf("no hostile caller", quiet, undefined)];
    for (const [title, order] of attacks) {
      if (!title.includes(attack)) continue;
      const alone = await measured(shared, controls[title], durationMs);
      await untilIdle(control.running.pid);
      const together = await measured(shared, order, durationMs);
      await untilIdle(shared.running.pid);
      rows.push(rowOf(title, together, alone));
      console.error(`  ${name}, ${title}: ${rows.at(-1)?.figures.join(", ") ?? ""}`);
    }
    const goal = `p99 < ${goalOfControl} x control or ${goalP99Ms} ms, ${goalPeakMiB} MiB`;
    const title = `${name}: ${victims} callers next to one hostile workspace`;
    console.log(`\n${renderGroup({ name: title, columns: [...columns, goal] }, rows)}\n`);
  } finally {
    for (const { running } of platforms) await running.stop();
  }
}

const columns = ["p50", "p99", "control", "of it", "answers", "lost", "CPU", "peak", "hostile"];

interface Measured {
  readonly latenciesMs: readonly number[];
  readonly lost: number;
  readonly peak: number;
  /** Processors in use by the platform. */
  readonly processors: number;
  /** Answers to the hostile caller by status, e.g. `200: 31, 503: 2`. */
  readonly hostile: string;
}

function rowOf(name: string, together: Measured, control: Measured | undefined): Row {
  const { latenciesMs, lost, peak, processors, hostile } = together;
  const p99 = percentile(latenciesMs, 0.99);
  const controlP99 = control === undefined ? p99 : percentile(control.latenciesMs, 0.99);
  const isFast = p99 <= goalOfControl * controlP99 && (p99 < goalP99Ms || controlP99 >= goalP99Ms);
  const holds = isFast && peak < goalPeakMiB * 1024 * 1024 && lost === 0;
  const times = [percentile(latenciesMs, 0.5), p99, controlP99].map(milliseconds);
  const counts = [latenciesMs.length, lost].map((count) => count.toLocaleString("en"));
  const rest = [processors.toFixed(2), mebibytes(peak), hostile, holds ? "yes" : "no"];
  return { name, figures: [...times, `${(p99 / controlP99).toFixed(1)} x`, ...counts, ...rest] };
}

/** Measures the callers of `platform` next to a hostile caller, of it or of another one. */
async function measured(
  platform: BenchPlatform,
  order: HostileOrder | undefined,
  durationMs: number,
): Promise<Measured> {
  const { pid, url } = platform.running;
  const request = victimRequests(platform);
  const hostile =
    order &&
    Bun.spawn([process.execPath, join(import.meta.dirname, "caller.ts")], {
      env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "2000" },
      stdin: new Blob([JSON.stringify(order)]),
      stdout: "pipe",
      stderr: "inherit",
    });
  try {
    await forgetPeak(pid);
    const options = { connections: victims, perSecond: victimRequestsPerSecond, isPatient: true };
    await load(new URL(url), { ...options, durationMs: warmUpMs, request });
    const usedBefore = await usedMicroseconds(pid);
    const beganMs = performance.now();
    const { latenciesMs, lost } = await load(new URL(url), { ...options, durationMs, request });
    const tookMs = performance.now() - beganMs;
    const processors = ((await usedMicroseconds(pid)) - usedBefore) / 1000 / tookMs;
    const peak = (await peakBytes(pid)) ?? Number.NaN;
    hostile?.kill("SIGTERM");
    const answers = hostile === undefined ? "" : await new Response(hostile.stdout).text();
    return {
      latenciesMs,
      lost,
      peak,
      processors,
      hostile: answers.trim().replaceAll(/["{}]/g, ""),
    };
  } finally {
    hostile?.kill("SIGKILL");
    await hostile?.exited;
  }
}

/** Six gets, three lists and one durable create of ten. */
function victimRequests(platform: BenchPlatform): (index: number) => WireRequest {
  const { running, token, tenantId, objectType, ids } = platform;
  const records = `${running.url}/v4/data/resources/${tenantId}/${objectType}`;
  const headers = [`authorization: Bearer ${token}`, "content-type: application/json"];
  return (index) => {
    if (index % 10 === 9) {
      const body = JSON.stringify(recordData(1_000_000 + index));
      return wireRequest("POST", new URL(records), headers, body, 201);
    }
    if (index % 10 > 5) return wireRequest("GET", new URL(`${records}?limit=20`), headers, "", 200);
    const id = ids[(index * 7919) % ids.length] ?? "";
    return wireRequest("GET", new URL(`${records}/${id}`), headers, "", 200);
  };
}
