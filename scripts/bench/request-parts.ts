import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { entryOfOperator } from "#server/domains/audit/entry.ts";
import { appendEntries } from "#server/domains/audit/store.ts";
import { raw, statement } from "#server/database/statement.ts";
import { everyWorkspace, type Scope } from "#server/kit/scope.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { setQuota } from "#server/platform/maintenance/quota.ts";
import { maintenanceWork } from "#server/work/works.ts";
import { usedMicroseconds } from "#test/support/process-use.ts";
import { findPostgres, startPostgres } from "../postgres.ts";
import { microseconds, percentile, type Group, type Row } from "./figures.ts";
import { load, type WireRequest } from "./load.ts";
import { preparePlatform, recordCount, type BenchPlatform } from "./platform.ts";
import { creation, getById } from "./requests.ts";

const rounds = 7;
const count = 3_000;
const connections = 16;
const entriesAtOnce = 16;

/**
 * The price of what a request also does: its audit entry, its event in the feed of changes, the
 * record of its key, the quota of its workspace, and the rows that it may see.
 */
export function requestParts(directory: string): Group {
  return {
    name: `what a request also does, median of ${rounds} windows in turns`,
    columns: ["with", "without", "price"],
    async measure() {
      const rows = [await auditEntry(directory), ...(await changeEvents(directory))];
      const place = join(directory, "parts");
      await mkdir(place);
      const platform = await preparePlatform(place, ["--threads=1"]);
      try {
        rows.push(await idempotencyKey(platform), await quota(platform));
      } finally {
        await platform.running.stop();
      }
      const scope = await rowScope();
      return scope === undefined ? rows : [...rows, scope];
    },
  };
}

async function auditEntry(directory: string): Promise<Row> {
  const database = await openPlatformDatabase({ url: `sqlite:${join(directory, "audit.db")}` });
  const work = maintenanceWork(database, "entries of a bench");
  const entry = entryOfOperator("resources.create", { target: { id: "x" } }, { at: new Date() });
  const transactions = async (entries: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let done = 0; done < count; done += entriesAtOnce) {
      await work.write(async (tx) => {
        await tx.run(raw("update audit_heads set sequence = sequence where false"));
        await appendEntries(
          tx,
          Array.from({ length: entries }, () => entry),
        );
      });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  try {
    return await inTurns("audit entry in a transaction of 16, SQLite", {
      with: () => transactions(entriesAtOnce),
      without: () => transactions(0),
    });
  } finally {
    await database.close();
  }
}

/** The event of a created record with three indexed values, alone in its row and with others. */
async function changeEvents(directory: string): Promise<Row[]> {
  const database = await openPlatformDatabase({ url: `sqlite:${join(directory, "events.db")}` });
  const work = maintenanceWork(database, "events of a bench");
  const workspaceId = Bun.randomUUIDv7();
  const actor = Bun.randomUUIDv7();
  const after = { reference: "25/01234/FUL", status: "open", amount: 1_250 };
  const transactions = async (events: number, eventsAtOnce: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let done = 0; done < count; done += eventsAtOnce) {
      await work.write(async (tx) => {
        await tx.run(raw("update audit_heads set sequence = sequence where false"));
        for (let index = 0; index < events; index += 1) {
          const details = { op: "created", type: "application", version: 1, after, actor } as const;
          tx.event("record", Bun.randomUUIDv7(), workspaceId, { ...details, request: actor });
        }
      });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  const price = (eventsAtOnce: number): Promise<Row> =>
    inTurns(`change event in a transaction of ${eventsAtOnce}, SQLite`, {
      with: () => transactions(eventsAtOnce, eventsAtOnce),
      without: () => transactions(0, eventsAtOnce),
    });
  try {
    return [await price(entriesAtOnce), await price(1)];
  } finally {
    await database.close();
  }
}

async function idempotencyKey(platform: BenchPlatform): Promise<Row> {
  let sent = recordCount;
  const creating = (lines: () => readonly string[]) => () =>
    served(platform, () => creation(platform, (sent += 1), lines()));
  return inTurns("Idempotency-Key of a create, SQLite", {
    with: creating(() => [`idempotency-key: bench-${sent}`]),
    without: creating(() => []),
  });
}

async function quota(platform: BenchPlatform): Promise<Row> {
  const { running, tenantId } = platform;
  const read = () => served(platform, (index) => getById(platform, index));
  const limit = async (requests: number | null): Promise<void> => {
    await setQuota({ dataDirectory: running.dataDir }, tenantId, { requests });
    // The platform reads the quotas again after 5 s.
    await Bun.sleep(5_500);
    await read();
  };
  return inTurns("quota of a get's workspace, SQLite", {
    before: { with: () => limit(1_000_000_000), without: () => limit(null) },
    with: read,
    without: read,
  });
}

/** PostgreSQL filters the rows of one workspace by a policy; those of the platform see all. */
async function rowScope(): Promise<Row | undefined> {
  const folder = await findPostgres();
  if (folder === undefined) return undefined;
  const cluster = await startPostgres(folder);
  try {
    const database = await openPlatformDatabase({ url: await cluster.createDatabase("scopes") });
    const workspaceId = Bun.randomUUIDv7();
    const at = { at: new Date(), workspaceId };
    const entries = Array.from({ length: 1_000 }, () => entryOfOperator("bench", {}, at));
    await maintenanceWork(database, "a bench").write((tx) => appendEntries(tx, entries));
    const reads = async (scope: Scope): Promise<number> => {
      const { read } = database.in(scope);
      const startedAt = performance.now();
      for (let index = 0; index < count; index += 1) {
        await read.all(statement`select * from audit_entries
          where workspace_id = ${workspaceId} order by sequence limit 20`);
      }
      return (1000 * (performance.now() - startedAt)) / count;
    };
    try {
      return await inTurns("row scope of a page of 20, PostgreSQL, time", {
        with: () => reads({ workspaces: [workspaceId], caller: "" }),
        without: () => reads(everyWorkspace),
      });
    } finally {
      await database.close();
    }
  } finally {
    await cluster.stop();
  }
}

/** Microseconds of the platform's processor time for each request. */
async function served(
  { running }: BenchPlatform,
  request: (index: number) => WireRequest,
): Promise<number> {
  const before = await usedMicroseconds(running.pid);
  await load(new URL(running.url), { connections, count, request });
  return ((await usedMicroseconds(running.pid)) - before) / count;
}

type Sides<Value> = Readonly<Record<"with" | "without", Value>>;

/** `before` prepares each window; the first window of each side only warms up. */
async function inTurns(
  name: string,
  { before, ...sides }: Sides<() => Promise<number>> & { before?: Sides<() => Promise<void>> },
): Promise<Row> {
  const windows: Sides<number[]> = { with: [], without: [] };
  const turns = before === undefined ? rounds : 3;
  for (let round = 0; round <= turns; round += 1) {
    for (const side of ["with", "without"] as const) {
      await before?.[side]();
      const used = await sides[side]();
      if (round > 0) windows[side].push(used);
    }
  }
  const [one, other] = [percentile(windows.with, 0.5), percentile(windows.without, 0.5)];
  return { name, figures: [one, other, one - other].map(microseconds) };
}
