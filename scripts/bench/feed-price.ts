import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "../build/executable.ts";
import { findPostgres, startPostgres } from "../postgres.ts";
import { microseconds, percentile, type Group, type Row } from "./figures.ts";
import { load, type WireRequest } from "./load.ts";
import {
  create,
  list,
  startServers,
  type BenchServer,
  type Mechanism,
  type Place,
} from "./machinery.ts";

interface Priced {
  readonly name: string;
  readonly connections: number;
  /** The requests of one window. */
  readonly count: number;
  readonly request: (server: BenchServer, index: number) => WireRequest;
}

/**
 * Very many short windows: the load of the machine changes from second to second, and the interval
 * of the median shrinks with the root of their number.
 */
const windows = 600;
const warmUpWindows = 100;
const records = 5_000;
const priced: readonly Priced[] = [
  { name: "create, one at a time", connections: 1, count: 50, request: create },
  { name: "create, 16 at a time", connections: 16, count: 160, request: create },
  { name: "list of 20 with its cursor", connections: 16, count: 160, request: list },
];
/** Half of the interval that has the median in 19 of 20 runs, in deviations of a normal spread. */
const intervalDeviations = 1.96 * 1.2533;
/** The median of distances is this part of a deviation. */
const medianDistance = 0.6745;

/**
 * Processor time of the server for a create that is a change of the feed, and for a list that names
 * the feed's cursor, next to a platform without the feed. Both are in one process: two processes of
 * one program differ by up to 7 % of a create. Each row of PostgreSQL is followed by one that has
 * the time of its processes too.
 */
export function feedPrice(directory: string): Group {
  return {
    name: `the feed of changes, server CPU, median of ${windows} pairs of windows`,
    columns: ["with", "without", "price", "share", "within"],
    async measure() {
      const program = join(directory, "feed-server");
      await compile("scripts/bench/tuned-server.ts", program);
      const rows = await onEngine("sqlite", { program, place: join(directory, "feed-sqlite") });
      const folder = await findPostgres();
      if (folder === undefined) return rows;
      const cluster = await startPostgres(folder, { isDurable: true });
      try {
        const place = join(directory, "feed-postgresql");
        return [...rows, ...(await onEngine("postgresql", { program, place, cluster }))];
      } finally {
        await cluster.stop();
      }
    },
  };
}

async function onEngine(
  engine: Mechanism["engine"],
  where: Omit<Place, "cluster"> & Partial<Pick<Place, "cluster">>,
): Promise<Row[]> {
  const sides = [true, false].map((keepsFeed) => ({
    name: keepsFeed ? "with" : "without",
    options: { tuning: { keepsFeed } },
  }));
  const servers = await startServers({ engine, records }, { cluster: undefined, ...where, sides });
  try {
    const rows: Row[] = [];
    const database = where.cluster?.pid;
    for (const each of priced) {
      for (const row of await inTurns(each, servers, database)) {
        console.error(`  ${engine}, ${row.name}: ${row.figures.join(", ")}`);
        const name = `${row.name}, ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}`;
        rows.push({ ...row, name });
      }
    }
    return rows;
  } finally {
    await servers[0]?.stop();
  }
}

async function inTurns(
  priced: Priced,
  servers: readonly BenchServer[],
  database: number | undefined,
): Promise<Row[]> {
  const used = servers.map((): Spent[] => []);
  for (let round = 0; round < windows + warmUpWindows; round += 1) {
    const turn = [...servers.entries()];
    for (const [at, server] of round % 2 === 0 ? turn : turn.toReversed()) {
      const spent = await windowOf(priced, server, database);
      // The first windows compile what the others run.
      if (round >= warmUpWindows) used[at]?.push(spent);
    }
  }
  const rowOf = (name: string, partOf: (spent: Spent) => number): Row => {
    const [one = [], other = []] = used.map((windows) => windows.map(partOf));
    return priceRow(name, one, other);
  };
  const own = rowOf(priced.name, ({ server }) => server);
  if (database === undefined) return [own];
  const all = (spent: Spent): number => spent.server + spent.database;
  return [own, rowOf(`${priced.name}, with its processes`, all)];
}

/** Processor time of a request, in microseconds. */
interface Spent {
  readonly server: number;
  readonly database: number;
}

function priceRow(name: string, one: readonly number[], other: readonly number[]): Row {
  const prices = one.map((spent, at) => spent - (other[at] ?? 0));
  const price = percentile(prices, 0.5);
  const without = percentile(other, 0.5);
  const share = (part: number): string => `${((100 * part) / without).toFixed(1)} %`;
  const figures = [percentile(one, 0.5), without, price].map(microseconds);
  return { name, figures: [...figures, share(price), `± ${share(half(prices))}`] };
}

/** Half of the interval of the median of these prices. */
function half(prices: readonly number[]): number {
  const middle = percentile(prices, 0.5);
  const distances = prices.map((each) => Math.abs(each - middle));
  const deviation = percentile(distances, 0.5) / medianDistance;
  return (intervalDeviations * deviation) / Math.sqrt(prices.length);
}

async function windowOf(
  { connections, count, request }: Priced,
  server: BenchServer,
  database: number | undefined,
): Promise<Spent> {
  const used = async (): Promise<Spent> => {
    const pids = await processesOf(database);
    const [own = 0, ...times] = await Promise.all([server.pid, ...pids].map(scheduledMicroseconds));
    return { server: own, database: times.reduce((sum, each) => sum + each, 0) };
  };
  const before = await used();
  await load(server.records, {
    connections,
    count,
    request: (index) => request(server, index),
  });
  const after = await used();
  return {
    server: (after.server - before.server) / count,
    database: (after.database - before.database) / count,
  };
}

/** The database's server with the processes of its connections, which are its children. */
async function processesOf(pid: number | undefined): Promise<number[]> {
  if (pid === undefined) return [];
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return [pid, ...children.trim().split(" ").map(Number)];
}

/** Processor time of all threads of a process; Linux reports it in nanoseconds there. */
async function scheduledMicroseconds(pid: number): Promise<number> {
  // A process of a connection may have ended.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map(async (id) => {
      const text = await readFile(`/proc/${pid}/task/${id}/schedstat`, "utf8").catch(() => "0");
      return Number(text.split(" ", 1)[0]) / 1000;
    }),
  );
  return times.reduce((sum, each) => sum + each, 0);
}
