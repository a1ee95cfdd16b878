import type { Client } from "#client/index.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { behaviours } from "../../test/server/domains/webhooks/hostile-endpoint.ts";
import { usedMicroseconds } from "#test/support/process-use.ts";
import { enginePlace, overDatabase } from "./drills/engines.ts";
import { milliseconds, percentile, renderGroup, type Row } from "./figures.ts";
import { preparePlatform, type BenchPlatform } from "./platform.ts";

export interface WebhookBenchOptions {
  readonly seconds: number;
  readonly engines: readonly string[];
}

const changesPerSecond = 10;
/** The behaviours of `hostile-endpoint.ts`, and as many silent ones as make them 24. */
const hostileCount = 24;
/** The longest p99 next to hostile endpoints, as a multiple of the p99 without them. */
const goalRatio = 2;
const longestWaitMs = 30_000;

/**
 * `npm run bench -- webhooks`: the time from the commit of a change to its receipt at an endpoint,
 * without and next to 24 hostile endpoints of the same workspace, in turns. Throws if an event is
 * lost, if a connection goes inward, and if the p99 is more than doubled.
 */
export async function benchWebhooks(
  directory: string,
  { seconds, engines }: WebhookBenchOptions,
): Promise<void> {
  const rows: Row[] = [];
  const faults: string[] = [];
  for (const engine of engines) {
    const place = await enginePlace(directory, engine);
    if (place === undefined) continue;
    const found = await overDatabase(place, (args) =>
      measureEngine(place.directory, args, seconds),
    );
    for (const [who, { without, beside, lost }] of Object.entries(found.endpoints)) {
      const ratio = percentile(beside, 0.99) / percentile(without, 0.99);
      const name = `${who}, ${place.name}`;
      const times = [without, beside].flatMap((all) =>
        [0.5, 0.99].map((part) => milliseconds(percentile(all, part))),
      );
      const cpu = [found.cpu.without, found.cpu.beside].map(
        (part) => `${Math.round(100 * part)} %`,
      );
      const figures = [...times, `${ratio.toFixed(2)} x`, String(lost), cpu.join(", ")];
      rows.push({ name, figures });
      if (lost > 0) faults.push(`${name}: ${lost} events are lost`);
      if (ratio > goalRatio) faults.push(`${name}: p99 is ${ratio.toFixed(1)} times that without`);
    }
    if (found.inward > 0) faults.push(`${place.name}: ${found.inward} connections inward`);
  }
  const columns = [
    "p50 alone",
    "p99 alone",
    "p50 next to 24",
    "p99 next to 24",
    "ratio",
    "lost",
    "server CPU",
  ];
  console.log(`${renderGroup({ name: "webhooks, commit to receipt", columns }, rows)}\n`);
  if (faults.length > 0) throw new Error(`webhooks: ${faults.join("; ")}`);
}

interface Measured {
  readonly without: number[];
  readonly beside: number[];
  lost: number;
}

/** Phases in turns; the first one opens connections and compiles. */
const phases = ["warm-up", "without", "beside", "without", "beside"] as const;

async function measureEngine(directory: string, engineArgs: readonly string[], seconds: number) {
  using hostile = await HostileEndpoints.start();
  using receiver = new Receiver();
  const hosts = [hostile.port, receiver.port].map((port) => `--webhook-host=127.0.0.1:${port}`);
  const platform = await preparePlatform(directory, [...engineArgs, ...hosts]);
  try {
    const { client, objectType } = platform;
    const others = await otherWorkspace(platform);
    const endpoints: Record<string, Measured> = {};
    const places = { "the same workspace": client, "another workspace": others };
    for (const [name, of] of Object.entries(places)) {
      endpoints[name] = { without: [], beside: [], lost: 0 };
      await of.webhooks.create({ body: { url: receiver.url, kinds: ["record"] } });
    }
    const made: string[] = [];
    const paths = Object.keys(behaviours);
    while (made.length < hostileCount) {
      const url = `http://127.0.0.1:${hostile.port}/${paths[made.length] ?? "silent"}`;
      const { id } = await client.webhooks.create({ body: { url, kinds: ["record"] } });
      made.push(id);
    }
    const cpu = { without: 0, beside: 0 };
    for (const phase of phases) {
      for (const endpointId of made) {
        const enabled = phase === "beside";
        await client.webhooks.update({ params: { endpointId }, body: { enabled } });
      }
      const cpuBefore = await usedMicroseconds(platform.running.pid);
      const sent = Object.entries(places).map(async ([name, of]) => {
        const answeredMs = await send(of, objectType, phase === "warm-up" ? 3 : seconds);
        const times = await receiver.times(answeredMs);
        const measured = endpoints[name];
        if (phase === "warm-up" || measured === undefined) return;
        measured.lost += answeredMs.size - times.length;
        measured[phase].push(...times);
      });
      await Promise.all(sent);
      const used = (await usedMicroseconds(platform.running.pid)) - cpuBefore;
      if (phase !== "warm-up") cpu[phase] += used / 1e6 / seconds / 2;
    }
    return { endpoints, cpu, inward: await hostile.ask() };
  } finally {
    await platform.running.stop();
  }
}

/** A second workspace with the same type. */
async function otherWorkspace({ client, objectType }: BenchPlatform): Promise<Client> {
  const { id } = await client.workspaces.createRoot({
    body: { displayName: "Other", slug: "other", homeRegion: "eu" },
  });
  const other = client.forTenant(id);
  const properties = { reference: { type: "string" as const, indexed: true } };
  await other.objectTypes.create({ body: { name: "Case", slug: objectType, properties } });
  return other;
}

/** Creates records at a steady rate; the time of each answer by the record's id. */
async function send(
  client: Client,
  objectType: string,
  seconds: number,
): Promise<Map<string, number>> {
  const answeredMs = new Map<string, number>();
  const beganMs = performance.now();
  const creating: Promise<void>[] = [];
  for (let change = 0; change < seconds * changesPerSecond; change += 1) {
    const created = client.useResources(objectType).create({ reference: `R-${change}` });
    creating.push(created.then(({ id }) => void answeredMs.set(id, performance.now())));
    const dueMs = beganMs + ((change + 1) * 1000) / changesPerSecond;
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
  }
  await Promise.all(creating);
  return answeredMs;
}

/** The hostile endpoints, on another thread. */
class HostileEndpoints implements Disposable {
  private constructor(
    private readonly worker: Worker,
    readonly port: number,
  ) {}

  static async start(): Promise<HostileEndpoints> {
    const worker = new Worker(new URL("hostile/endpoints-worker.ts", import.meta.url));
    return new HostileEndpoints(worker, await nextMessage(worker));
  }

  /** The number of connections to the address inside. */
  ask(): Promise<number> {
    const answered = nextMessage(this.worker);
    this.worker.postMessage("inward");
    return answered;
  }

  [Symbol.dispose](): void {
    this.worker.terminate();
  }
}

function nextMessage(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => resolve(Number(data)), { once: true });
    worker.addEventListener("error", ({ message }) => reject(new Error(message)), { once: true });
  });
}

/** An endpoint that answers at once. */
class Receiver implements Disposable {
  readonly #receivedMs = new Map<string, number>();
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const atMs = performance.now();
      const { data }: CloudEvent = JSON.parse(await request.text());
      const id = isJsonObject(data) ? String(data["id"]) : "";
      if (!this.#receivedMs.has(id)) this.#receivedMs.set(id, atMs);
      return new Response(null, { status: 204 });
    },
  });

  get port(): number {
    return this.#server.port ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** The times from the answers to the receipts, once all have come or too much time has passed. */
  async times(answeredMs: ReadonlyMap<string, number>): Promise<number[]> {
    const endMs = performance.now() + longestWaitMs;
    const missing = (): boolean => [...answeredMs.keys()].some((id) => !this.#receivedMs.has(id));
    while (missing() && performance.now() < endMs) await Bun.sleep(20);
    return [...answeredMs].flatMap(([id, fromMs]) => {
      const toMs = this.#receivedMs.get(id);
      return toMs === undefined ? [] : [Math.max(0, toMs - fromMs)];
    });
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
