import type { Row } from "../figures.ts";
import { usedMicroseconds } from "#test/support/process-use.ts";
import { load, type LoadOptions, type WireRequest } from "../load.ts";
import { mix, officerCount, officerName, recordData, vocabulary, wordAt } from "./dataset.ts";
import { measureDisk } from "./disk.ts";
import { dataRow, type Goal, type Measured } from "./goals.ts";
import type { DataPlatform } from "./platform.ts";

const batchSize = 1_000;
const fillingAtOnce = 4;
const warmUpMs = 500;
/**
 * Reads of a platform that runs for days, before those whose rate has a goal: until the pages by
 * which records are found are in memory, and each thread's engine has compiled what it is asked
 * for.
 */
const steadyMs = 10_000;
/** Twice as many as elsewhere: a commit's price is shared by those that wait for it. */
const creatingAtOnce = 128;
/** More than there will be. */
const createsPerMs = 12;
/** The rate of the requests that run during a scan. */
const pacedPerSecond = 500;
/** Ids that are asked for, of all over the table. */
const knownIds = 20_000;

/** How long each thing is measured. */
export interface DataTimes {
  readonly durationMs: number;
  /** The time for requests that take a good part of a second each. */
  readonly longMs: number;
}

/** Makes `records` records by batches; answers the row and ids from all over the table. */
export async function fill(
  platform: DataPlatform,
  records: number,
): Promise<{ row: Row; ids: readonly string[] }> {
  const ids: string[] = [];
  const batches = Math.ceil(records / batchSize);
  const everyBatch = Math.max(1, Math.floor((batches * 50) / knownIds));
  const result = await measured(platform, {
    connections: fillingAtOnce,
    count: batches,
    isPatient: true,
    request: (index) => {
      const first = index * batchSize;
      const count = Math.min(batchSize, records - first);
      const items = Array.from({ length: count }, (_, offset) => recordData(first + offset));
      return platform.request("POST", "/batch/create", items, 200);
    },
    onAnswer(index, body) {
      if (index % everyBatch !== 0) return;
      const answer: { results: { id: string }[] } = JSON.parse(body.toString());
      for (let at = 0; at < answer.results.length; at += 20) {
        ids.push(answer.results[at]?.id ?? "");
      }
    },
  });
  const name = `create by batches of ${batchSize.toLocaleString("en")}, records`;
  return { row: dataRow(name, result, {}, batchSize), ids };
}

/** Everything that the interface offers on the full table, one after the other. */
export async function measureOverHttp(
  platform: DataPlatform,
  ids: readonly string[],
  { durationMs, longMs }: DataTimes,
  onRow: (row: Row) => void,
): Promise<void> {
  const { url, request } = platform;
  const gets = ids.map((id) => request("GET", `/${id}`, undefined, 200));
  const list = (query: Readonly<Record<string, string>>): WireRequest =>
    request("GET", `?${new URLSearchParams({ limit: "20", ...query }).toString()}`, undefined, 200);
  const officers = Array.from({ length: officerCount }, (_, number) =>
    list({ where: JSON.stringify({ officer: officerName(number) }) }),
  );
  const amounts = Array.from({ length: 500 }, (_, number) =>
    list({ where: JSON.stringify({ amount: { $gte: number * 190 } }), sort: "amount" }),
  );
  const aggregate = (groupBy: string, metrics: object): WireRequest =>
    request("POST", "/aggregate", { groupBy: [groupBy], metrics }, 200);
  const count = { records: { op: "count" } };

  const measure = async (name: string, options: LoadOptions, goal?: Goal): Promise<void> => {
    await load(url, { ...options, durationMs: warmUpMs });
    onRow(dataRow(name, await measured(platform, { durationMs, ...options }), goal));
  };
  const slow = async (name: string, one: WireRequest): Promise<void> => {
    const options = { connections: 1, durationMs: longMs, request: () => one };
    onRow(dataRow(name, await measured(platform, options)));
  };

  const someGet = (index: number): WireRequest => pick(gets, index);
  await load(url, { connections: 64, durationMs: steadyMs, request: someGet });
  await measure("get by id", { connections: 64, request: someGet }, { perSecond: 40_000 });
  const listGoal = { p99Ms: 10 };
  await measure("list 20, newest first", { connections: 16, request: () => list({}) }, listGoal);
  await measure(
    "list 20 where an indexed text is …",
    { connections: 16, request: (index) => pick(officers, index) },
    listGoal,
  );
  await measure(
    "list 20 where an indexed number is from … on, in its order",
    { connections: 16, request: (index) => pick(amounts, index) },
    listGoal,
  );
  const ranges = Array.from({ length: 500 }, (_, number) =>
    list({ where: JSON.stringify({ amount: { $gte: number * 190 } }) }),
  );
  await measure(
    "list 20 where an indexed number is from … on, newest first",
    { connections: 16, request: (index) => pick(ranges, index) },
    listGoal,
  );
  await load(url, {
    connections: creatingAtOnce,
    durationMs: steadyMs,
    request: creating(platform, steadyMs * createsPerMs),
  });
  await measure(
    `durable create, ${creatingAtOnce} connections`,
    {
      connections: creatingAtOnce,
      request: creating(platform, (warmUpMs + durationMs) * createsPerMs),
    },
    { perSecond: 8_000 },
  );
  if (platform.isSearched) await searching(platform, measure);
  await slow("filter on what has no index, none found", list({ where: '{"area":-1}' }));
  await slow(
    "filter on what has no index, counted",
    list({ where: '{"ward":"Ward 7"}', count: "true" }),
  );
  await slow(
    "filter on an indexed property, counted",
    list({ where: '{"status":"open"}', count: "true" }),
  );
  await slow("sort by what has no index", list({ sort: "-area" }));
  await slow("aggregate by an indexed property", aggregate("status", count));
  await slow(
    "aggregate by an indexed property, sum of another",
    aggregate("status", { ...count, sum: { op: "sum", field: "amount" } }),
  );
  await slow("aggregate by what has no index", aggregate("ward", count));
  await whileScanning(platform, gets, officers, durationMs, onRow, aggregate("ward", count));
}

/** Full-text searches, by words of which few or many records have one. */
async function searching(
  platform: DataPlatform,
  measure: (name: string, options: LoadOptions, goal?: Goal) => Promise<void>,
): Promise<void> {
  const searchGoal = { p99Ms: 50 };
  const find = (query: string): WireRequest =>
    platform.request(
      "POST",
      "/v4/data/resources/{tenantId}/search",
      { query, mode: "fulltext" },
      200,
    );
  const few = Array.from({ length: 500 }, (_, number) => find(wordAt(number * 37)));
  const many = vocabulary.map((word, at) => find(`${word} ${wordAt(at * 37)}`));
  await measure(
    "full-text search for a word of few records",
    { connections: 4, request: (index) => pick(few, index) },
    searchGoal,
  );
  await measure(
    "full-text search for a word of every third record, and a rare one",
    { connections: 4, request: (index) => pick(many, index) },
    searchGoal,
  );
}

export async function measured(platform: DataPlatform, options: LoadOptions): Promise<Measured> {
  const { url, running } = platform;
  const before = await usedMicroseconds(running.pid);
  const result = await load(url, options);
  return { ...result, usedMicroseconds: (await usedMicroseconds(running.pid)) - before };
}

function pick<Item>(items: readonly Item[], index: number): Item {
  return items[mix(index) % items.length] as Item;
}

/** Creates that no other call of this run makes. */
let created = 100_000_000;

/**
 * Creates, so many of them made before the clock runs: on two cores, the platform lacks what it
 * costs to make them. Those beyond are made as they are asked for.
 */
function creating(platform: DataPlatform, count: number): () => WireRequest {
  const next = (): WireRequest => {
    created += 1;
    return platform.request("POST", "", recordData(created), 201);
  };
  const made = Array.from({ length: count }, next);
  let at = 0;
  return () => {
    at += 1;
    return made[at - 1] ?? next();
  };
}

/** Latencies of other requests while scans of the whole table run. */
async function whileScanning(
  platform: DataPlatform,
  gets: readonly WireRequest[],
  lists: readonly WireRequest[],
  durationMs: number,
  onRow: (row: Row) => void,
  scan: WireRequest,
): Promise<void> {
  const { url } = platform;
  const create = creating(platform, (durationMs * pacedPerSecond) / 1_000);
  const mixed = (index: number): WireRequest =>
    (index % 5 === 0 ? lists[index % lists.length] : gets[(index * 7919) % gets.length]) ?? scan;
  const others = async (name: string, request: LoadOptions["request"]): Promise<void> => {
    const options = { connections: 16, perSecond: pacedPerSecond, request };
    const [, result] = await Promise.all([
      load(url, { connections: 1, durationMs, request: () => scan }),
      load(url, { ...options, durationMs }),
    ]);
    // The processor time includes the scan's.
    onRow(dataRow(name, { ...result, usedMicroseconds: Number.NaN }, { p99Ms: 5 }));
  };
  await others(`gets and lists, ${pacedPerSecond}/s, while a scan runs`, mixed);
  await others(`creates, ${pacedPerSecond}/s, while a scan runs`, create);
  // The lower bound for a create on this disk at this time.
  const disk = await measureDisk(platform.running.dataDir, pacedPerSecond, durationMs);
  onRow(dataRow(`the disk alone: 64 KiB and a sync, ${pacedPerSecond}/s`, disk));
}
