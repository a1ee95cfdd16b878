import { Database } from "bun:sqlite";
import { join } from "node:path";

/** The rates of SQLite alone on this disk, in one thread: per second. */
export interface BareSqlite {
  readonly gets: number;
  readonly lists: number;
  /** One transaction each, synced before it counts. */
  readonly creates: number;
  /** 64 in each transaction, as concurrent callers can be answered together. */
  readonly groupedCreates: number;
}

const rowCount = 20_000;
const listLength = 20;
const groupSize = 64;

export function measureBareSqlite(directory: string, durationMs: number): BareSqlite {
  using database = new Database(join(directory, "bare.sqlite"), { create: true });
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run(
    `create table records (id text primary key, created_at integer not null, data text not null)
     without rowid`,
  );
  database.run("create index by_time on records (created_at desc, id)");
  const insert = database.prepare("insert into records values (?, ?, ?)");
  const data = JSON.stringify({ reference: "PA-2026-0001", status: "open", area: 1234.5 });
  const ids: string[] = [];
  const add = (): void => {
    const id = Bun.randomUUIDv7();
    ids.push(id);
    insert.run(id, ids.length, data);
  };
  const addMany = database.transaction((count: number) => {
    for (let index = 0; index < count; index += 1) add();
  });
  addMany(rowCount);
  const get = database.prepare("select data from records where id = ?");
  const list = database.prepare(
    `select id, data from records order by created_at desc limit ${listLength}`,
  );
  let turn = 0;
  return {
    gets: rate(durationMs, 1, () => {
      turn += 1;
      get.get(ids[(turn * 7919) % rowCount] ?? "");
    }),
    lists: rate(durationMs, 1, () => list.all()),
    creates: rate(durationMs, 1, add),
    groupedCreates: rate(durationMs, groupSize, () => addMany(groupSize)),
  };
}

function rate(durationMs: number, perCall: number, work: () => void): number {
  const startedAt = performance.now();
  let calls = 0;
  while (performance.now() - startedAt < durationMs) {
    work();
    calls += 1;
  }
  return (calls * perCall * 1000) / (performance.now() - startedAt);
}
