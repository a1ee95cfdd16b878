import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { rename, rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import {
  describePlatform,
  field,
  openTestPlatform,
  type TestPlatform,
} from "#test/support/platform.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { takeStorageAway } from "#test/support/away-storage.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";

const healthPath = "/v4/data/resources/health";

/** The statuses of health, `/ready` and `/live` after the kept states have ended. */
async function seen(the: TestPlatform) {
  the.advance(6_000);
  const nobody = the.as("nobody");
  const health = await nobody.get(healthPath);
  const [ready, live] = await Promise.all([
    the.platform.fetch(new Request("http://10.1.2.3/ready")),
    the.platform.fetch(new Request("http://10.1.2.3/live")),
  ]);
  return { health: health.status, ready: ready.status, live: live.status, body: health.json };
}

const well = { health: 200, ready: 200, live: 200 };
const withoutReads = {
  health: 503,
  ready: 503,
  live: 200,
  body: {
    detail: expect.stringMatching(/^Down: database \(/),
    components: { database: { status: "down" } },
  },
};
/** Reads that fail with this detail of the database. */
const lost = (detail: string) => ({
  ...withoutReads,
  body: { detail: `Down: database (${detail})`, components: { database: { detail } } },
});
const withoutWrites = {
  health: 503,
  ready: 200,
  live: 200,
  body: {
    detail: expect.stringMatching(/^Writes fail: database \(/),
    components: { database: { status: "degraded" } },
  },
};

/** Statements of the server's administrator in the platform's database. */
async function administer(the: TestPlatform, ...texts: readonly string[]): Promise<void> {
  const administrator = new SQL(the.databaseUrl, { max: 1 });
  try {
    for (const text of texts) await administrator.unsafe(text);
  } finally {
    await administrator.close();
  }
}

function runOnSqlite(the: TestPlatform, text: string): void {
  using database = new Database(the.databaseUrl.replace(/^sqlite:/, ""));
  database.run("pragma legacy_alter_table = on");
  database.run(text);
}

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** After lost sessions the first calls find out that they are lost. */
async function eventuallySeen(the: TestPlatform, expected: object): Promise<void> {
  await expect.poll(() => seen(the), { timeout: 15_000 }).toMatchObject(expected);
}

describePlatform("health", (the) => {
  test("follows a storage that goes away and comes back", async () => {
    expect(await seen(the())).toMatchObject(well);
    const storage = await takeStorageAway(the());
    try {
      await eventuallySeen(the(), withoutReads);
    } finally {
      await storage.comeBack();
    }
    await eventuallySeen(the(), well);
  });

  test("warns of an open transaction whose changes are late, until it ends", async () => {
    const { engine, databaseUrl, platform, workspaces } = the();
    // On SQLite writes have an order, so that none waits for another one.
    if (engine === "sqlite") return;
    const heldBack = async (): Promise<string[]> => {
      const warnings = field((await seen(the())).body, "warnings");
      return (Array.isArray(warnings) ? warnings : [])
        .map(String)
        .filter((warning) => warning.includes("held back"));
    };
    // Transactions of other tests on the same server hold back changes too, until they end.
    const eventuallyHeldBack = (expected: unknown[]): Promise<void> =>
      eventually(async () => expect(await heldBack()).toEqual(expected));
    await eventuallyHeldBack([]);
    const sql = new SQL(databaseUrl, { max: 1 });
    const session = await sql.reserve();
    try {
      await session`begin`;
      await session`select pg_current_xact_id()`;
      const work = platform.platformWork("a change in a test");
      await work.write(async (tx) => tx.event("record", "a", workspaces.tenant, { op: "created" }));
      const text =
        /^the feed of changes is held back [1-9]\d+ s by a transaction that is open since /;
      await eventuallyHeldBack([expect.stringMatching(text)]);
      await session`rollback`;
      await eventuallyHeldBack([]);
    } finally {
      await session.release();
      await sql.close();
    }
  });

  test("names the tables that are gone", async () => {
    const gone = ["idempotency_keys", "marks"];
    const rename = async (from: string, to: string): Promise<void> => {
      for (const name of gone) {
        const text = `alter table ${from}${name} rename to ${to}${name}`;
        if (the().engine === "postgresql") await administer(the(), text);
        else await eventually(async () => runOnSqlite(the(), text));
      }
    };
    await rename("", "hidden_");
    await eventuallySeen(
      the(),
      lost("has lost the tables idempotency_keys, marks: restore a backup"),
    );
    await rename("hidden_", "");
    await eventuallySeen(the(), well);
  });

  test("is degraded for ten minutes after a request that met damaged data", async () => {
    const { health } = the().platform.services;
    health.noteFailure(new StorageError("invalid page in block 7 (XX001)"));
    const detail = expect.stringMatching(/ \(a request met it at 20\d\d-/);
    const degraded = { status: "degraded", components: { database: { detail } } };
    expect(await seen(the())).toMatchObject({ ...well, body: degraded });
    the().advance(10 * 60_000);
    expect(await seen(the())).toMatchObject({ ...well, body: { status: "ok" } });
    health.noteFailure(new StorageError("disk I/O error (SQLITE_IOERR_READ)"));
    expect(await seen(the())).toMatchObject({ ...well, body: { status: "ok" } });
  });

  test("probes answer a HEAD without a body, and no other method", async () => {
    const ask = (method: string) =>
      the().platform.fetch(new Request("http://localhost/ready", { method }));
    const head = await ask("HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await ask("POST")).status).toBe(404);
  });
});

describeNeeding("health on postgresql", missingPostgres, () => {
  let the: TestPlatform;
  beforeAll(async () => {
    the = await openTestPlatform("postgresql", {});
  });
  afterAll(() => the.close());

  test.each([
    [
      "a search_path without the tables",
      "search_path = nowhere",
      lost(
        "has lost all of its tables: check the search_path of its role and its database, or restore a backup",
      ),
    ],
    [
      "row_security that is off",
      "row_security = off",
      lost("refuses its role: check the role's rights, and that row_security is on"),
    ],
  ])("is 503 with %s", async (_what, setting, expected) => {
    const [name] = setting.split(" ");
    const database = new URL(the.databaseUrl).pathname.slice(1);
    // A connection that is being opened now would keep the earlier setting.
    await eventuallySeen(the, well);
    await administer(the, `alter database "${database}" set ${setting}`, endSessions);
    try {
      await eventuallySeen(the, expected);
    } finally {
      await administer(the, `alter database "${database}" reset ${name}`, endSessions);
    }
    await eventuallySeen(the, well);
  });

  test("is 503 while writes are refused, as a standby refuses them", async () => {
    await administer(
      the,
      standby,
      `create trigger standby before insert or update on secrets
      for each row execute function standby()`,
    );
    const detail = expect.stringMatching(/standby.*: promote it/);
    const body = { ...withoutWrites.body, components: { database: { detail } } };
    await eventuallySeen(the, { ...withoutWrites, body });
    await administer(the, "drop trigger standby on secrets");
    await eventuallySeen(the, well);
  });
});

/** Refuses each write as a standby does. */
const standby = `create function standby() returns trigger language plpgsql as $$ begin
  raise exception 'cannot execute INSERT in a read-only transaction' using errcode = '25006';
end $$`;

describe("health on sqlite", () => {
  async function withPlatform(
    work: (the: TestPlatform, path: string) => Promise<void>,
    options: { readonly readyNeedsWrites?: boolean } = {},
  ): Promise<void> {
    const the = await openTestPlatform("sqlite", { options });
    try {
      expect(await seen(the)).toMatchObject(well);
      await work(the, the.databaseUrl.replace(/^sqlite:/, ""));
    } finally {
      await the.close();
    }
  }

  test.each([
    ["removed", (path: string) => rm(path)],
    ["renamed", (path: string) => rename(path, `${path}.moved`)],
    ["without its log", (path: string) => rm(`${path}-wal`)],
  ])("no write is acknowledged into a database that was %s", async (_what, change) => {
    await withPlatform(async (the, path) => {
      await change(path);
      const { tenant } = the.workspaces;
      const type = { name: "Note", slug: "note", properties: { text: { type: "string" } } };
      const created = await the
        .as("tenant-admin")
        .post("/v4/data/resources/object-types", type, { headers: { "x-tenant-id": tenant } });
      expect(created).toMatchObject({ status: 503, json: { retryable: true } });
      expect(await seen(the)).toMatchObject({
        health: 503,
        ready: 200,
        body: {
          components: { database: { status: "down", detail: expect.stringContaining("its file") } },
        },
      });
    });
  });

  test.each([
    [false, 200],
    [true, 503],
  ])(
    "failing writes with --ready-needs-writes %s: ready is %i",
    async (readyNeedsWrites, ready) => {
      await withPlatform(
        async (the, path) => {
          using database = new Database(path);
          // The platform of this process can end its own transaction only between two tries.
          const run = (text: string) => eventually(() => database.run(text));
          await run(`create trigger broken before update on secrets
          begin select raise(abort, 'disk I/O error'); end`);
          expect(await seen(the)).toMatchObject({ ...withoutWrites, ready });
          await run("drop trigger broken");
          expect(await seen(the)).toMatchObject(well);
        },
        { readyNeedsWrites },
      );
    },
  );

  test("/ready is 503 in a drain, and /live is not", async () => {
    await withPlatform(async (the) => {
      await the.platform.drain(0);
      expect((await the.platform.fetch(new Request("http://localhost/ready"))).status).toBe(503);
      expect((await the.platform.fetch(new Request("http://localhost/live"))).status).toBe(200);
    });
  });
});
