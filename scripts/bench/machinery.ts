import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "#client/index.ts";
import type { ServeOptions } from "#server/serve.ts";
import { compile } from "../build/executable.ts";
import { findPostgres, startPostgres, type PostgresCluster } from "../postgres.ts";
import { objectType, recordData, typeSlug } from "./data/dataset.ts";
import { percentile, perSecond, milliseconds, type Group, type Row } from "./figures.ts";
import { vectorKernelRow } from "./vector-kernel.ts";
import { wordRows } from "./word-scan.ts";
import { load, wireRequest, type WireRequest } from "./load.ts";

/** The options that a mechanism is switched by. */
export type Switched = Pick<ServeOptions, "threads" | "tuning">;

export interface Mechanism {
  readonly name: string;
  readonly engine: "sqlite" | "postgresql";
  /** The options that switch it off. */
  readonly off: Switched;
  readonly on?: Switched;
  readonly records: number;
  readonly connections: number;
  /** Makes the request that comes `index`-th. */
  readonly request: (server: BenchServer, index: number) => WireRequest;
  /** Measures once, directly after the records were created, instead of in turns. */
  readonly isAfterBulk?: boolean;
}

export interface BenchServer {
  readonly pid: number;
  readonly records: URL;
  readonly token: string;
  readonly ids: readonly string[];
  stop(): Promise<void>;
}

const rounds = 5;
const windowMs = 1_500;
const warmUpMs = 1_500;
const batchSize = 1_000;
const few = 5_000;
const many = 100_000;

const get = ({ records, token, ids }: BenchServer, index: number): WireRequest => {
  const id = ids[(index * 7919) % ids.length] ?? "";
  return wireRequest("GET", new URL(`${records.href}/${id}`), headersOf(token), "", 200);
};
export const list = ({ records, token }: BenchServer): WireRequest =>
  wireRequest("GET", new URL(`${records.href}?limit=20`), headersOf(token), "", 200);
let created = 50_000_000;
export const create = ({ records, token }: BenchServer): WireRequest => {
  created += 1;
  const data = JSON.stringify(recordData(created));
  return wireRequest("POST", records, headersOf(token), data, 201);
};
const listWhere =
  (where: (index: number) => object, sort?: string) =>
  ({ records, token }: BenchServer, index: number): WireRequest => {
    const query = new URLSearchParams({ limit: "20", where: JSON.stringify(where(index)) });
    if (sort !== undefined) query.set("sort", sort);
    return wireRequest(
      "GET",
      new URL(`${records.href}?${query.toString()}`),
      headersOf(token),
      "",
      200,
    );
  };
const wideRange = listWhere((index) => ({ amount: { $gte: (index % 500) * 100 } }));

/** Every mechanism that exists for speed; docs/architecture.md names these rows. */
const mechanisms: readonly Mechanism[] = [
  {
    name: "threads: list of 20",
    engine: "sqlite",
    on: { threads: 2 },
    off: { threads: 1 },
    records: few,
    connections: 64,
    request: list,
  },
  {
    name: "tick batches: get by id",
    engine: "sqlite",
    off: { tuning: { batchesTicks: false } },
    records: few,
    connections: 64,
    request: get,
  },
  {
    name: "merged writes: create",
    engine: "sqlite",
    off: { tuning: { mergesWrites: false } },
    records: few,
    connections: 64,
    request: create,
  },
  {
    name: "merged writes: create",
    engine: "postgresql",
    off: { tuning: { mergesWrites: false } },
    records: few,
    connections: 64,
    request: create,
  },
  {
    name: "gathered reads: get by id",
    engine: "postgresql",
    off: { tuning: { batchesReads: false } },
    records: few,
    connections: 64,
    request: get,
  },
  {
    name: "list probes: range, newest first",
    engine: "sqlite",
    off: { tuning: { probesLists: false } },
    records: many,
    connections: 4,
    request: wideRange,
  },
  {
    name: "list probes: unindexed filter in an index's order",
    engine: "sqlite",
    off: { tuning: { probesLists: false } },
    records: many,
    connections: 4,
    request: listWhere(() => ({ area: -1 }), "amount"),
  },
  {
    name: "list probes: range, newest first",
    engine: "postgresql",
    off: { tuning: { probesLists: false } },
    records: many,
    connections: 4,
    request: wideRange,
  },
  {
    name: "table statistics: filter and sort after a bulk",
    engine: "postgresql",
    off: { tuning: { analyzesTables: false } },
    records: many,
    connections: 4,
    request: listWhere(() => ({ amount: { $gte: 99_000 }, ward: "Ward 7" }), "reference"),
    isAfterBulk: true,
  },
];

/** Requests per second with each speed mechanism and without it, in turns on the same machine. */
export function machinery(directory: string): Group {
  return {
    name: `mechanisms for speed, ${rounds} windows of ${windowMs / 1000} s in turns`,
    columns: ["with", "without", "gain", "p99 with", "p99 without"],
    async measure() {
      const program = join(directory, "tuned-server");
      await compile("scripts/bench/tuned-server.ts", program);
      const folder = await findPostgres();
      const cluster =
        folder === undefined ? undefined : await startPostgres(folder, { isDurable: true });
      try {
        const rows: Row[] = [];
        for (const [index, mechanism] of mechanisms.entries()) {
          if (mechanism.engine === "postgresql" && cluster === undefined) continue;
          const place = join(directory, `mechanism-${index}`);
          const row = await compare(mechanism, { program, place, cluster });
          console.error(`  ${row.name}: ${row.figures.join(", ")}`);
          rows.push(row);
        }
        rows.push(vectorKernelRow());
        rows.push(...(await wordRows()));
        return rows;
      } finally {
        await cluster?.stop();
      }
    },
  };
}

export interface Place {
  readonly program: string;
  readonly place: string;
  readonly cluster: PostgresCluster | undefined;
}

async function compare(mechanism: Mechanism, place: Place): Promise<Row> {
  const sides = [
    { name: "on", options: mechanism.on ?? {}, rates: [] as number[], latencies: [] as number[] },
    { name: "off", options: mechanism.off, rates: [] as number[], latencies: [] as number[] },
  ];
  const running: { side: (typeof sides)[number]; server: BenchServer }[] = [];
  const measureOne = async ({ side, server }: (typeof running)[number]): Promise<void> => {
    const request = (index: number): WireRequest => mechanism.request(server, index);
    const { connections } = mechanism;
    const result = await load(server.records, { connections, durationMs: windowMs, request });
    side.rates.push(result.perSecond);
    side.latencies.push(percentile(result.latenciesMs, 0.99));
  };
  try {
    for (const side of sides) {
      const server = await startServer(mechanism, { ...place, ...side });
      running.push({ side, server });
      if (mechanism.isAfterBulk === true) {
        // The platform analyzes within some seconds, the server itself within a minute.
        await Bun.sleep(5_000);
        for (let round = 0; round < rounds; round += 1) await measureOne({ side, server });
        continue;
      }
      await load(server.records, {
        connections: mechanism.connections,
        durationMs: warmUpMs,
        request: (index) => mechanism.request(server, index),
      });
    }
    for (let round = 0; mechanism.isAfterBulk !== true && round < rounds; round += 1) {
      for (const one of round % 2 === 0 ? running : running.toReversed()) await measureOne(one);
    }
  } finally {
    for (const { server } of running) await server.stop();
  }
  const [on = 0, off = 0] = sides.map(({ rates }) => percentile(rates, 0.5));
  const times = sides.map(({ latencies }) => milliseconds(percentile(latencies, 0.5)));
  return {
    name: `${mechanism.name}, ${mechanism.engine === "sqlite" ? "SQLite" : "PostgreSQL"}`,
    figures: [perSecond(on), perSecond(off), `${(on / off).toFixed(2)} x`, ...times],
  };
}

export async function startServer(
  mechanism: Pick<Mechanism, "engine" | "records">,
  { name, options, ...where }: Place & Side,
): Promise<BenchServer> {
  const [server] = await startServers(mechanism, { ...where, sides: [{ name, options }] });
  if (server === undefined) throw new Error("a process of one platform has started none");
  return server;
}

interface Side {
  readonly name: string;
  readonly options: Switched;
}

/** Starts a process with a platform for each side; `stop` of any of them ends the process. */
export async function startServers(
  { engine, records }: Pick<Mechanism, "engine" | "records">,
  { program, place, cluster, sides }: Place & { readonly sides: readonly Side[] },
): Promise<BenchServer[]> {
  const given = await Promise.all(
    sides.map(async ({ name, options }) => {
      const dataDirectory = `${place}-${name}`;
      await mkdir(dataDirectory, { recursive: true });
      const database = `svc_${crypto.randomUUID().replaceAll("-", "")}`;
      const databaseUrl =
        engine === "postgresql" ? await cluster?.createDatabase(database) : undefined;
      return JSON.stringify({ dataDirectory, threads: 1, databaseUrl, ...options });
    }),
  );
  const child = Bun.spawn([program, ...given], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  try {
    const { value } = await child.stdout.getReader().read();
    const started: { url: string; token: string }[] = JSON.parse(new TextDecoder().decode(value));
    const servers: BenchServer[] = [];
    for (const { url, token } of started) {
      servers.push({ pid: child.pid, token, stop, ...(await filled(url, token, records)) });
    }
    return servers;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes a workspace with records. */
async function filled(
  url: string,
  token: string,
  count: number,
): Promise<Pick<BenchServer, "records" | "ids">> {
  const client = createClient({ baseUrl: url, token });
  const { id } = await client.workspaces.createRoot({
    body: { displayName: "Bench", slug: "bench", homeRegion: "eu" },
  });
  await client.forTenant(id).objectTypes.create({ body: objectType(false) });
  const records = new URL(`/v4/data/resources/${id}/${typeSlug}`, url);
  return { records, ids: await fill(records, token, count) };
}

/** Creates records in batches and returns the id of every twentieth. */
async function fill(records: URL, token: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  await load(records, {
    connections: 2,
    count: count / batchSize,
    isPatient: true,
    request(index) {
      const items = Array.from({ length: batchSize }, (_, offset) =>
        recordData(index * batchSize + offset),
      );
      const body = JSON.stringify(items);
      const url = new URL(`${records.href}/batch/create`);
      return wireRequest("POST", url, headersOf(token), body, 200);
    },
    onAnswer(_, body) {
      const { results }: { results: { id: string }[] } = JSON.parse(body.toString());
      ids.push(...results.filter((_result, at) => at % 20 === 0).map(({ id }) => id));
    },
  });
  return ids;
}

function headersOf(token: string): string[] {
  return [`authorization: Bearer ${token}`, "content-type: application/json", "accept: */*"];
}
