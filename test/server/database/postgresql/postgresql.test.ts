import { SQL } from "bun";
import { expect, test } from "vitest";
import { ConnectionLostError, DuplicateError, StorageError } from "#server/kit/storage-errors.ts";
import { raw, statement } from "#server/database/statement.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { openWhole } from "#test/support/databases.ts";

const counters = {
  name: "0001-counters",
  up: (context: { run(part: ReturnType<typeof raw>): Promise<void> }) =>
    context.run(raw("create table counters (id text primary key, n bigint not null)")),
};

/** A line to the server that can go dead: it passes no bytes, and reports nothing to either end. */
async function lineTo(target: URL) {
  const { port, hostname } = target;
  const line = { isDead: false };
  type Data = { server: Promise<Bun.Socket<undefined>> };
  const listener = Bun.listen<Data>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        const server = Bun.connect<undefined>({
          hostname,
          port: Number(port),
          socket: {
            data: (_server, bytes) => void (line.isDead || client.write(bytes)),
            close: () => void client.end(),
          },
        });
        client.data = { server };
      },
      data(client, bytes) {
        const sent = Buffer.from(bytes);
        if (!line.isDead) void client.data.server.then((server) => server.write(sent));
      },
      close: (client) => void client.data.server.then((server) => server.end()),
    },
  });
  const url = new URL(target);
  url.port = String(listener.port);
  return Object.assign(line, { url: url.href, [Symbol.dispose]: () => listener.stop(true) });
}

describeNeeding("a PostgreSQL database", missingPostgres, () => {
  test("that does not exist is a lost connection, without the password in the message", async () => {
    const opening = openWhole({
      url: "postgres://svc:hunter2@127.0.0.1:1/nowhere",
      migrations: [],
    });
    await expect(opening).rejects.toThrow(ConnectionLostError);
    await expect(opening).rejects.not.toThrow("hunter2");
  });

  test("with a wrong name or password is a storage error that says which", async () => {
    const { url, drop } = await createTestDatabase();
    try {
      const wrong = (change: (url: URL) => void): Promise<unknown> => {
        const changed = new URL(url);
        change(changed);
        return openWhole({ url: changed.href, migrations: [] });
      };
      const noDatabase = wrong((changed) => (changed.pathname = "/nowhere"));
      await expect(noDatabase).rejects.toThrow(StorageError);
      await expect(noDatabase).rejects.toThrow('database "nowhere" does not exist');
      const noAccess = wrong((changed) => (changed.password = "hunter2"));
      await expect(noAccess).rejects.toThrow(StorageError);
      await expect(noAccess).rejects.toThrow("password authentication failed");
      await expect(noAccess).rejects.not.toThrow("hunter2");
    } finally {
      await drop();
    }
  });

  test.each([
    ["a connection that the server cannot encrypt", "?sslmode=require", "does not support SSL"],
    ["an unknown parameter", "?sslmode=maybe", "'sslmode' must be one of"],
  ])("is refused with the reason as a storage error: %s", async (_name, parameters, reason) => {
    const { url, drop } = await createTestDatabase();
    try {
      const opening = openWhole({ url: `${url}${parameters}`, migrations: [] });
      await expect(opening).rejects.toThrow(StorageError);
      await expect(opening).rejects.toThrow(reason);
    } finally {
      await drop();
    }
  });

  test("whose server cannot read its files, or finds them damaged, is a storage error", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [] });
    try {
      for (const state of ["58P01", "58030", "XX001"]) {
        const failing = database.read.all(
          raw(`do $$ begin raise 'no such file' using errcode = '${state}'; end $$`),
        );
        await expect(failing).rejects.toThrow(StorageError);
        await expect(failing).rejects.toThrow(`no such file (${state})`);
      }
    } finally {
      await database.close();
      await drop();
    }
  });

  test("with an invalid URL is refused without the password", async () => {
    const opening = openWhole({
      url: "postgres://svc:hunter2@127.0.0.1:port/nowhere",
      migrations: [],
    });
    await expect(opening).rejects.toThrow(StorageError);
    await expect(opening).rejects.toThrow('expected "postgres://user:password@host:port/name"');
    await expect(opening).rejects.not.toThrow("hunter2");
  });

  test("whose connections break is used with new ones", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters], poolSize: 2 });
    const administrator = new SQL(url, { max: 1 });
    try {
      await database.write((writer) =>
        writer.run(statement`insert into counters (id, n) values ('a', 0)`),
      );
      const broken = database.write(async (writer) => {
        await writer.run(statement`update counters set n = 99`);
        await administrator`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
        await writer.run(statement`update counters set n = 100`);
      });
      await expect(broken).rejects.toThrow(ConnectionLostError);
      // The pool may use other dead connections, one call each; then it works.
      const read = () => database.read.all(statement`select n from counters`);
      await expect.poll(() => read().catch(() => "lost"), { timeout: 5_000 }).toEqual([{ n: 0 }]);
      const write = () =>
        database.write((writer) => writer.run(statement`update counters set n = n + 1`));
      await expect
        .poll(() => write().catch(() => "lost"), { timeout: 5_000 })
        .toEqual({ changedRows: 1 });
    } finally {
      await administrator.close();
      await database.close();
      await drop();
    }
  });

  test("that does not answer is a lost connection, and is used again when it answers", async () => {
    const { url, drop } = await createTestDatabase();
    using line = await lineTo(new URL(url));
    const database = await openWhole({
      url: line.url,
      migrations: [counters],
      poolSize: 2,
      unitTimeoutMs: 200,
    });
    const add = () =>
      database.write((writer) =>
        writer.run(statement`update counters set n = n + 1 where id = 'a'`),
      );
    try {
      const insert = (id: string) =>
        database.write((writer) => writer.run(statement`insert into counters values (${id}, 0)`));
      // The two run at the same time, so that both connections are open.
      await Promise.all([insert("a"), insert("b")]);
      line.isDead = true;
      // Only the missing answer shows it.
      const refused = await Promise.allSettled([add(), add()]);
      for (const result of refused) {
        expect(result).toMatchObject({ reason: expect.any(ConnectionLostError) });
      }
      line.isDead = false;
      expect(await add()).toEqual({ changedRows: 1 });
    } finally {
      await database.close();
      await drop();
    }
  });

  test("ends a scan whose caller has gone, at any moment", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters], poolSize: 2 });
    try {
      for (let round = 0; round < 12; round += 1) {
        const controller = new AbortController();
        const scan = database.scan
          .with({ signal: controller.signal, share: String(round) })
          .all(raw("select 1 as asleep from pg_sleep(60)"));
        const answer = expect(scan).rejects.toMatchObject({ reason: "aborted" });
        // Before it is sent, while it is sent, and while it runs.
        if (round > 0) await Bun.sleep((round % 4) * 2);
        controller.abort();
        await answer;
      }
      const running = () =>
        database.read.all(
          raw(`select pid from pg_stat_activity
          where datname = current_database() and state = 'active' and query like '%asleep%'
            and pid <> pg_backend_pid()`),
        );
      await expect.poll(running, { timeout: 10_000 }).toEqual([]);
      expect(await database.scan.all(raw("select 1 as n"))).toEqual([{ n: 1 }]);
    } finally {
      await database.close();
      await drop();
    }
  });

  test("runs each scan in one process", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters] });
    try {
      const workers = raw("select current_setting('max_parallel_workers_per_gather') as processes");
      expect(await database.scan.first(workers)).toEqual({ processes: "0" });
      expect(await database.read.first(workers)).not.toEqual({ processes: "0" });
    } finally {
      await database.close();
      await drop();
    }
  });

  test("reads pages of a scan ahead, at least as many as the server by default", async () => {
    const { url, drop } = await createTestDatabase();
    await using sql = new SQL(url, { max: 1 });
    const name = new URL(url).pathname.slice(1);
    const pages = raw("select current_setting('effective_io_concurrency')::int as pages");
    const [{ supported }] = await sql`select boot_val <> '0' as supported
      from pg_settings where name = 'effective_io_concurrency'`;
    const cases: [number, number][] =
      supported === true
        ? [
            [1, 32],
            [100, 100],
          ]
        : [[0, 0]];
    try {
      for (const [own, ofScans] of cases) {
        await sql.unsafe(`alter database "${name}" set effective_io_concurrency = ${own}`);
        const database = await openWhole({ url, migrations: [counters] });
        try {
          expect(await database.read.first(pages)).toEqual({ pages: own });
          expect(await database.scan.first(pages)).toEqual({ pages: ofScans });
        } finally {
          await database.close();
        }
      }
    } finally {
      await drop();
    }
  });

  test("retries units that deadlock", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters], poolSize: 2 });
    try {
      await database.write((writer) =>
        writer.run(statement`insert into counters (id, n) values ('a', 0), ('b', 0)`),
      );
      const bothHoldOne = Promise.withResolvers<void>();
      let holding = 0;
      let runs = 0;
      const addInOrder = (first: string, second: string) =>
        database.write(async (writer) => {
          runs += 1;
          await writer.run(statement`update counters set n = n + 1 where id = ${first}`);
          holding += 1;
          if (holding === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
          await writer.run(statement`update counters set n = n + 1 where id = ${second}`);
        });
      await Promise.all([addInOrder("a", "b"), addInOrder("b", "a")]);
      expect(runs).toBeGreaterThan(2);
      expect(await database.read.all(statement`select id, n from counters order by id`)).toEqual([
        { id: "a", n: 2 },
        { id: "b", n: 2 },
      ]);
    } finally {
      await database.close();
      await drop();
    }
  });

  test("runs units side by side that change different rows of a small table", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters], poolSize: 2 });
    try {
      await database.write(async (writer) => {
        await writer.run(statement`insert into counters (id, n) values ('a', 0), ('b', 0)`);
        await writer.run(raw("analyze counters"));
      });
      const bothHaveRead = Promise.withResolvers<void>();
      let runs = 0;
      const addTo = (id: string) =>
        database.write(async (writer) => {
          runs += 1;
          await writer.first(statement`select n from counters where id = ${id}`);
          if (runs === 2) bothHaveRead.resolve();
          await bothHaveRead.promise;
          await writer.run(statement`update counters set n = n + 1 where id = ${id}`);
        });
      await Promise.all([addTo("a"), addTo("b")]);
      expect(runs).toBe(2);
    } finally {
      await database.close();
      await drop();
    }
  });

  test("repeats a unit that conflicts with others until it succeeds", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters], poolSize: 2 });
    try {
      await database.write((writer) =>
        writer.run(statement`insert into counters (id, n) values ('a', 0)`),
      );
      const add = statement`update counters set n = n + 1 where id = 'a'`;
      let runs = 0;
      const seen = await database.write(async (writer) => {
        runs += 1;
        const row = await writer.first<{ n: number }>(raw("select n from counters"));
        if (runs <= 15) await database.write((other) => other.run(add));
        await writer.run(add);
        return row?.n;
      });
      expect({ runs, seen }).toEqual({ runs: 16, seen: 15 });
      expect(await database.read.all(raw("select n from counters"))).toEqual([{ n: 16 }]);
    } finally {
      await database.close();
      await drop();
    }
  });

  test("refuses a value only if the unit could have read the row that has it", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [counters], poolSize: 2 });
    const insert = (id: string, n: number) =>
      statement`insert into counters (id, n) values (${id}, ${n})`;
    const counts = () => database.read.all(statement`select id, n from counters order by id`);
    try {
      let runs = 0;
      await database.write(async (writer) => {
        runs += 1;
        await writer.run(statement`delete from counters where id = 'a'`);
        // This insert comes after the snapshot of the deletion, but before its insert.
        if (runs === 1) await database.write((other) => other.run(insert("a", 1)));
        await writer.run(insert("a", 2));
      });
      expect(runs).toBe(2);
      expect(await counts()).toEqual([{ id: "a", n: 2 }]);

      runs = 0;
      const taken = database.write(async (writer) => {
        runs += 1;
        await writer.run(insert("b", 1));
        await writer.run(insert("a", 3));
      });
      await expect(taken).rejects.toThrow(DuplicateError);
      expect(runs).toBe(2);
      expect(await counts()).toEqual([{ id: "a", n: 2 }]);
    } finally {
      await database.close();
      await drop();
    }
  });
});
