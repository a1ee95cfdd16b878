import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Row } from "../figures.ts";
import { indexedNames, mix, officerCount, officerName, recordData } from "./dataset.ts";
import { dataRow, type Measured } from "./goals.ts";
import type { DataTimes } from "./over-http.ts";

const batchSize = 1_000;
const groupSize = 64;

/**
 * SQLite alone with the same records and the same questions: one process, one thread, no HTTP, no
 * sign-in, no validation, no history, no counts. An expression index for each indexed property.
 */
export async function measureBare(
  directory: string,
  records: number,
  { durationMs, longMs }: DataTimes,
  onRow: (row: Row) => void,
): Promise<void> {
  using database = new Database(join(directory, "bare.sqlite"), { create: true });
  for (const pragma of [
    "page_size = 8192",
    "journal_mode = wal",
    "synchronous = full",
    "cache_size = -65536",
    "mmap_size = 8589934592",
  ]) {
    database.run(`pragma ${pragma}`);
  }
  database.run(`create table records (seq integer primary key, id text not null unique,
    version integer not null, created_at text not null, data blob not null)`);
  for (const name of indexedNames) {
    database.run(`create index by_${name} on records (json_extract(data, '$.${name}'), seq)`);
  }
  const insert = database.prepare(
    "insert into records (id, version, created_at, data) values (?, 1, ?, jsonb(?))",
  );
  const ids: string[] = [];
  let added = 0;
  const add = (): void => {
    const id = Bun.randomUUIDv7();
    if (added % 50 === 0) ids.push(id);
    insert.run(id, new Date().toISOString(), JSON.stringify(recordData(added)));
    added += 1;
  };
  const addMany = database.transaction((count: number) => {
    for (let index = 0; index < count; index += 1) add();
  });
  const filling = run(Infinity, () => addMany(batchSize), Math.ceil(records / batchSize));
  onRow(dataRow("create by batches of 1,000, records", filling, {}, batchSize));
  database.run("analyze");

  const columns = "id, version, created_at, json(data) as data";
  const field = (name: string): string => `json_extract(data, '$.${name}')`;
  const all = (text: string): ((...values: (string | number)[]) => unknown) => {
    const prepared = database.prepare(text);
    return (...values) => {
      const rows = prepared.all(...values) as { data?: string }[];
      for (const row of rows) if (row.data !== undefined) JSON.parse(row.data);
      return rows;
    };
  };
  const measure = (name: string, work: (turn: number) => unknown, perCall = 1): void =>
    onRow(dataRow(name, run(durationMs, work), {}, perCall));
  const slow = (name: string, text: string): void => {
    const work = all(text);
    onRow(
      dataRow(
        name,
        run(longMs, () => work()),
      ),
    );
  };

  const get = all(`select ${columns} from records where id = ?`);
  measure("get by id", (turn) => get(ids[mix(turn) % ids.length] ?? ""));
  const newest = all(`select ${columns} from records order by seq desc limit 20`);
  measure("list 20, newest first", () => newest());
  const byOfficer = all(`select ${columns} from records indexed by by_officer
    where ${field("officer")} = ? order by seq desc limit 20`);
  measure("list 20 where an indexed text is …", (turn) =>
    byOfficer(officerName(mix(turn) % officerCount)),
  );
  const byAmount = all(`select ${columns} from records indexed by by_amount
    where ${field("amount")} >= ? order by ${field("amount")}, seq limit 20`);
  measure("list 20 where an indexed number is from … on, in its order", (turn) =>
    byAmount((mix(turn) % 500) * 190),
  );
  const newestByAmount = all(`select ${columns} from records not indexed
    where ${field("amount")} >= ? order by seq desc limit 20`);
  measure("list 20 where an indexed number is from … on, newest first", (turn) =>
    newestByAmount((mix(turn) % 500) * 190),
  );
  measure("durable create, one synced transaction each", add);
  measure(`durable create, ${groupSize} in each transaction`, () => addMany(groupSize), groupSize);
  slow(
    "filter on what has no index, none found",
    `select ${columns} from records where ${field("area")} = -1 order by seq desc limit 20`,
  );
  slow(
    "filter on what has no index, counted",
    `select count(*) from records where ${field("ward")} = 'Ward 7'`,
  );
  slow(
    "filter on an indexed property, counted",
    `select count(*) from records where ${field("status")} = 'open'`,
  );
  slow(
    "sort by what has no index",
    `select ${columns} from records order by ${field("area")} desc limit 20`,
  );
  slow(
    "aggregate by an indexed property",
    `select ${field("status")}, count(*) from records indexed by by_status group by 1`,
  );
  slow(
    "aggregate by an indexed property, sum of another",
    `select ${field("status")}, count(*), sum(${field("amount")}) from records group by 1`,
  );
  slow(
    "aggregate by what has no index",
    `select ${field("ward")}, count(*) from records group by 1`,
  );
}

function run(durationMs: number, work: (turn: number) => unknown, count = Infinity): Measured {
  const latenciesMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let before = startedAt;
  while (before - startedAt < durationMs && latenciesMs.length < count) {
    work(latenciesMs.length);
    const now = performance.now();
    latenciesMs.push(now - before);
    before = now;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    perSecond: (latenciesMs.length * 1000) / (before - startedAt),
    latenciesMs,
    usedMicroseconds: user + system,
  };
}
