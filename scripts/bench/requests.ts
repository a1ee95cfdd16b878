import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { measureBareSqlite } from "./bare-sqlite.ts";
import { compile } from "../build/executable.ts";
import {
  microseconds,
  milliseconds,
  percentile,
  perSecond,
  type Group,
  type Row,
} from "./figures.ts";
import { load, wireRequest, type WireRequest } from "./load.ts";
import { recordData, recordCount, type BenchPlatform } from "./platform.ts";
import { usedMicroseconds } from "#test/support/process-use.ts";

const connectionCount = 64;
const durationMs = 3_000;
/** Until each thread of a platform has compiled what it is asked for. */
const warmUpMs = 5_000;
const bareMs = 1_000;

/**
 * Gets, lists and durable creates per second, by our own loop over raw keep-alive sockets, and the
 * processor time of the server for each: rates swing with what else the machine does.
 */
export function requests(directory: string, platform: BenchPlatform): Group {
  return {
    name: `requests by our own loop over ${connectionCount} raw sockets, ${durationMs / 1000} s, ${recordCount} records`,
    columns: ["rate", "p50", "p99", "server CPU"],
    async measure() {
      const { running, token, records, ids } = platform;
      const ceiling = await atCeiling(directory);
      const bare = measureBareSqlite(directory, bareMs);
      const byHand = await atBareServer(directory);
      const svc = await measureRecords("svc", { records, pid: running.pid, token, ids });
      return [
        ceiling,
        row("bare SQLite, get by key, in process", bare.gets),
        byHand.get,
        svc.get,
        row("bare SQLite, list of 20, in process", bare.lists),
        byHand.list,
        svc.list,
        row("bare SQLite, create, one synced transaction each", bare.creates),
        row("bare SQLite, create, 64 in each transaction", bare.groupedCreates),
        byHand.create,
        svc.create,
      ];
    },
  };
}

/** A program that answers requests. */
interface Server {
  readonly url: URL;
  readonly pid: number;
}

/** An address of records, who asks it, and the ids of those that are there. */
interface Records {
  readonly records: URL;
  readonly pid: number;
  readonly token: string;
  readonly ids: readonly string[];
}

async function measureRecords(
  name: string,
  { records, pid, token, ids }: Records,
): Promise<{ get: Row; list: Row; create: Row }> {
  const asked = { records, token, ids };
  const list = reading(token, new URL(`${records.href}?limit=20`));
  const server = { url: records, pid };
  return {
    get: await over(`${name}, get by id`, server, (at) => getById(asked, at)),
    list: await over(`${name}, list of 20`, server, () => list),
    create: await over(`${name}, durable create`, server, (at) => creation(asked, at)),
  };
}

const headersOf = (token: string): readonly string[] => [
  `authorization: Bearer ${token}`,
  "content-type: application/json",
  "accept: application/json",
];

type Asked = Pick<Records, "records" | "token">;

/** Reads one of the records that are there, another for each `index`. */
export function getById({ records, token, ids }: Omit<Records, "pid">, index: number): WireRequest {
  return reading(token, new URL(`${records.href}/${ids[(index * 7919) % ids.length] ?? ""}`));
}

export function reading(token: string, url: URL): WireRequest {
  return wireRequest("GET", url, headersOf(token), "", 200);
}

/** Creates the record `index`; `lines` are further header fields. */
export function creation(
  { records, token }: Asked,
  index: number,
  lines: readonly string[] = [],
): WireRequest {
  const data = JSON.stringify(recordData(recordCount + index));
  return wireRequest("POST", records, [...headersOf(token), ...lines], data, 201);
}

/** Creates 500 records in one batch, each of which has its own outcome. */
export function batchCreation({ records, token }: Asked, index: number): WireRequest {
  const first = recordCount + index * batchSize;
  const items = Array.from({ length: batchSize }, (_, at) => recordData(first + at));
  const url = new URL(`${records.href}/batch/create`);
  return wireRequest("POST", url, headersOf(token), JSON.stringify({ items }), 200);
}

const batchSize = 500;

/** An empty Bun server under the same load: what is left for a platform on this machine. */
function atCeiling(directory: string): Promise<Row> {
  return withServer(directory, "hello", [], (server) => {
    const request = wireRequest("GET", server.url, [], "", 200);
    return over("empty Bun server", server, () => request);
  });
}

/** The parts that a platform is made of, put together by hand and with nothing around them. */
function atBareServer(directory: string): Promise<{ get: Row; list: Row; create: Row }> {
  const token = randomBytes(32).toString("base64url");
  return withServer(directory, "bare-server", [directory, token], async ({ url: records, pid }) => {
    const ids: string[] = [];
    await load(records, {
      connections: connectionCount,
      count: recordCount,
      request: (index) => creation({ records, token }, index - recordCount),
      onAnswer: (_, body) => ids.push((JSON.parse(body.toString()) as { id: string }).id),
    });
    return measureRecords("bare server of the same parts", { records, pid, token, ids });
  });
}

/** Compiles a server of this folder, which prints its address, and ends it after `measure`. */
async function withServer<Result>(
  directory: string,
  name: string,
  argv: readonly string[],
  measure: (server: Server) => Promise<Result>,
): Promise<Result> {
  const program = join(directory, name);
  await compile(`scripts/bench/${name}.ts`, program);
  const child = Bun.spawn([program, ...argv], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const { value } = await child.stdout.getReader().read();
    const url = new URL(new TextDecoder().decode(value).trim());
    return await measure({ url, pid: child.pid });
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

async function over(
  name: string,
  { url, pid }: Server,
  request: (index: number) => WireRequest,
): Promise<Row> {
  let sent = 0;
  const next = (): WireRequest => {
    sent += 1;
    return request(sent);
  };
  await load(url, { connections: connectionCount, durationMs: warmUpMs, request: next });
  const before = await usedMicroseconds(pid);
  const result = await load(url, {
    connections: connectionCount,
    durationMs,
    request: next,
  });
  const used = ((await usedMicroseconds(pid)) - before) / result.latenciesMs.length;
  return row(name, result.perSecond, { latenciesMs: result.latenciesMs, used });
}

function row(
  name: string,
  rate: number,
  served?: { readonly latenciesMs: readonly number[]; readonly used: number },
): Row {
  if (served === undefined) return { name, figures: [perSecond(rate), "", "", ""] };
  const { latenciesMs, used } = served;
  const times = [0.5, 0.99].map((share) => milliseconds(percentile(latenciesMs, share)));
  return { name, figures: [perSecond(rate), ...times, microseconds(used)] };
}
