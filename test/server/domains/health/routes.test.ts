import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { roomWatched, roomWatchedBlobs } from "#server/files/disk-space.ts";
import type { LogEvent } from "#server/kit/logger.ts";
import { HealthService } from "#server/domains/health/service.ts";
import { releaseClaims, requestRemovals } from "#server/files/removal-store.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import type { Writer } from "#server/database/database.ts";
import { render } from "#server/database/statement.ts";
import { keepText } from "#server/domains/secrets/service.ts";
import { StorageError, StorageFullError } from "#server/kit/storage-errors.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { everyWorkspace } from "#server/kit/scope.ts";
import { withViews } from "#test/support/watched-database.ts";
import { testWorks } from "#test/support/work.ts";

describePlatform("health", (the) => {
  apiCases(the, [
    {
      name: "needs no token",
      as: "nobody",
      method: "GET",
      path: "/v4/data/resources/health",
      expect: {
        status: 200,
        body: {
          status: "ok",
          components: { database: { status: "ok" }, files: { status: "ok", detail: "disk" } },
        },
        headers: { "cache-control": "no-store", "ratelimit-policy": '"default";q=1000000;w=10' },
      },
    },
    {
      name: "the OpenAPI document needs no token",
      as: "nobody",
      method: "GET",
      path: "/v4/openapi.json",
      expect: { status: 200, body: { openapi: "3.1.1", info: { version: expect.any(String) } } },
    },
    {
      name: "an unknown address is refused",
      as: "nobody",
      method: "GET",
      path: "/v4/data/nothing",
      expect: { status: 404, code: "route-not-found" },
    },
    {
      name: "an address that cannot be decoded is refused",
      as: "nobody",
      method: "GET",
      path: "/v4/data/%zz",
      expect: { status: 400, code: "malformed-request" },
    },
    {
      name: "an address that is too long is refused",
      as: "nobody",
      method: "GET",
      path: `/v4/${"x".repeat(8_200)}`,
      expect: { status: 400, code: "malformed-request" },
    },
  ]);

  test("the OpenAPI document is not sent again to a client that has it", async () => {
    const client = the().as("nobody");
    const first = await client.get("/v4/openapi.json");
    const headers = { "if-none-match": String(first.headers.get("etag")) };
    const second = await client.get("/v4/openapi.json", { headers });
    expect(second.status).toBe(304);
    expect(second.text).toBe("");
  });

  test("a part that is down is 503, with its name", async () => {
    const { health } = the().platform.services;
    let isDown = true;
    health.addPart({
      name: "tape",
      without: "down",
      goodForMs: 1_000,
      ask: () => (isDown ? Promise.reject(new Error("torn")) : Promise.resolve({ status: "ok" })),
    });
    the().advance(2_000);
    const answered = await the().as("nobody").get("/v4/data/resources/health");
    expect(answered.json).toMatchObject({
      status: 503,
      code: "storage-unavailable",
      detail: "Down: tape (does not answer)",
      retryable: true,
      components: { tape: { status: "down" }, database: { status: "ok" } },
    });
    expect(answered.text).not.toContain("torn");
    isDown = false;
    the().advance(2_000);
    expect((await the().as("nobody").get("/v4/data/resources/health")).status).toBe(200);
  });
});

describe("the parts of the platform", () => {
  const start = async () => {
    const directory = await temporaryDirectory("health");
    const database = await openPlatformDatabase({ url: `sqlite:${directory}/svc.db` });
    let time = 0;
    const now = () => new Date(time);
    const log: LogEvent[] = [];
    const logger = {
      info: () => {},
      warn: (event: LogEvent) => void log.push(event),
      error: () => {},
    };
    const folder = join(directory, "blobs");
    const blobs = createDiskBlobStore(folder);
    const health = new HealthService({
      platformWork: testWorks(database).works.forPlatform,
      database,
      blobs,
      blobProvider: "disk",
      room: { database: { isLacking: false }, files: { isLacking: false } },
      version: "1.2.3",
      now,
      logger,
    });
    const advance = (milliseconds: number) => void (time += milliseconds);
    return { database, blobs, health, folder, advance, now, logger, log };
  };
  const counted = (answers: readonly ("ok" | "degraded")[], goodForMs: number) => {
    const part = {
      name: "counted",
      without: "degraded" as const,
      goodForMs,
      asked: 0,
      ask: () => {
        const status = answers[part.asked] ?? "ok";
        part.asked += 1;
        return Promise.resolve({ status });
      },
    };
    return part;
  };

  test("are checked at most once per second", async () => {
    const { database, health, advance } = await start();
    const part = counted(["degraded"], 1_000);
    health.addPart(part);
    const all = await Promise.all([health.health(), health.health(), health.health()]);
    expect(all[0]).toMatchObject({ status: "degraded", version: "1.2.3" });
    expect(part.asked).toBe(1);
    advance(1_000);
    expect(await health.health()).toMatchObject({ status: "ok" });
    expect(part.asked).toBe(2);
    await database.close();
  });

  test("that are expensive to check are checked less often while they work", async () => {
    const { database, health, advance } = await start();
    const part = counted(["degraded", "ok", "degraded"], 30_000);
    health.addPart(part);
    const states: string[] = [];
    for (const milliseconds of [0, 1_000, 29_999, 1]) {
      advance(milliseconds);
      states.push((await health.health()).status);
    }
    expect(states).toEqual(["degraded", "ok", "ok", "degraded"]);
    await database.close();
  });

  test("that hang give the platform its state without them", async () => {
    const { database, health } = await start();
    const hangs = { goodForMs: 1_000, ask: () => new Promise<never>(() => {}) };
    health.addPart({ name: "less", without: "degraded", ...hangs });
    const late = { status: "degraded", detail: "does not answer in time" };
    expect(await health.health()).toMatchObject({ status: "degraded", components: { less: late } });
    health.addPart({ name: "all", without: "down", ...hangs });
    expect(await health.health()).toMatchObject({ status: "down", components: { less: late } });
    await database.close();
  });

  test("that hang are not checked a second time before they answer", async () => {
    const { database, health, advance } = await start();
    const questions: PromiseWithResolvers<{ status: "ok" }>[] = [];
    const ask = () => {
      const question = Promise.withResolvers<{ status: "ok" }>();
      questions.push(question);
      return question.promise;
    };
    health.addPart({ name: "slow", without: "degraded", goodForMs: 1_000, ask });
    expect(await health.health()).toMatchObject({ status: "degraded" });
    advance(1_000);
    const later = health.health();
    expect(questions).toHaveLength(1);
    questions[0]?.resolve({ status: "ok" });
    expect(await later).toMatchObject({ status: "ok" });
    advance(1_000);
    const next = health.health();
    expect(questions).toHaveLength(2);
    questions[1]?.reject(new Error("torn"));
    expect(await next).toMatchObject({ status: "degraded" });
    await database.close();
  });

  test("an unusable folder for files leaves the rest of the platform", async () => {
    const { database, health, folder, advance, log } = await start();
    expect(await health.health()).toMatchObject({ status: "ok" });
    await symlink(folder, folder);
    for (let times = 0; times < 3; times += 1) {
      advance(1_000);
      expect(await health.health()).toMatchObject({
        status: "degraded",
        components: { files: { status: "degraded", detail: "can't be used" } },
      });
    }
    // The log has the reason once.
    expect(log).toMatchObject([{ event: "part-unwell", part: "files" }]);
    expect(log[0]?.["error"]).toContain("ELOOP");
    await database.close();
  });

  test("whose writes have failed are checked with a large one, since a small one may fit", async () => {
    const { database, blobs, advance, now, logger } = await start();
    let limit = Number.POSITIVE_INFINITY;
    const watched = roomWatched(
      withViews(database, (view) => ({
        write: (work) =>
          view.write((writer) => work(Object.assign(Object.create(writer), limited(writer)))),
      })),
    );
    const limited = (writer: Writer): Pick<Writer, "run"> => ({
      run: (change) => {
        const { parameters } = render(change, "sqlite");
        const isLarge = parameters.some((each) => String(each).length > limit);
        if (isLarge) return Promise.reject(new StorageError("disk I/O error"));
        return writer.run(change);
      },
    });
    const health = new HealthService({
      platformWork: testWorks(watched.database).works.forPlatform,
      database: watched.database,
      blobs,
      blobProvider: "disk",
      room: { database: watched.room, files: { isLacking: false } },
      version: "1.2.3",
      now,
      logger,
    });
    const writes = async (): Promise<boolean> => {
      advance(1_000);
      return (await health.condition()).writes;
    };
    const view = watched.database.in(everyWorkspace);
    const write = () =>
      view.write((tx) => keepText(tx, "large", "-".repeat(1_000), now().toISOString()));
    expect(await writes()).toBe(true);
    limit = 100;
    await expect(write()).rejects.toThrow("disk I/O error");
    expect(await writes()).toBe(false);
    expect(await writes()).toBe(false);
    limit = Number.POSITIVE_INFINITY;
    expect(await writes()).toBe(true);
    await write();
    await database.close();
  });

  test("that have no space are degraded until a write or a check of writes succeeds", async () => {
    const { database, blobs, advance, now, logger } = await start();
    const isFull = { database: true, disk: true, store: true };
    const unless = <T>(part: keyof typeof isFull, work: () => Promise<T>): Promise<T> =>
      isFull[part] ? Promise.reject(new StorageFullError("no space")) : work();
    const watched = roomWatched({
      ...database,
      in(scope) {
        const { read, scan, snapshot, write } = database.in(scope);
        const refused: typeof write = (work) => unless("database", () => write(work));
        return { read, scan, snapshot, write: refused };
      },
    });
    const view = watched.database.in(everyWorkspace);
    const writeRows: typeof view.write = (work) => view.write(work);
    const watchedBlobs = roomWatchedBlobs({
      ...blobs,
      stage: (...given) =>
        unless("disk", async () => {
          const staged = await blobs.stage(...given);
          const publish = staged.publish.bind(staged);
          return Object.assign(staged, { publish: () => unless("store", publish) });
        }),
    });
    const health = new HealthService({
      platformWork: testWorks(watched.database).works.forPlatform,
      database: watched.database,
      blobs: watchedBlobs.blobs,
      blobProvider: "disk",
      room: { database: watched.room, files: watchedBlobs.room },
      version: "1.2.3",
      now,
      logger,
    });
    const workspaceId = "0192f000-0000-7000-8000-000000000001";
    const upload = async () => {
      const content = new Blob(["text"]).stream();
      const staged = await watchedBlobs.blobs.stage(workspaceId, content, { limitBytes: 10 });
      await staged.publish().finally(() => staged.discard());
      return staged.mayBePublished;
    };
    const given = [{ sha256: "0".repeat(64), size: 1 }];
    const write = () => writeRows((writer) => requestRemovals(writer, workspaceId, given));
    const parts = async () => {
      advance(1_000);
      const { status, components } = await health.health();
      return [status, components?.["database"]?.status, components?.["files"]?.status];
    };

    await expect(write()).rejects.toThrow("no space");
    expect(await parts()).toEqual(["degraded", "degraded", "ok"]);
    await expect(upload()).rejects.toThrow("no space");
    expect(await parts()).toEqual(["degraded", "degraded", "degraded"]);
    expect(await health.health()).toMatchObject({
      components: { database: { detail: "has no space left for writes" } },
    });
    isFull.database = false;
    // A write unit that stores nothing does not prove that there is space.
    await writeRows((writer) => releaseClaims(writer, "no-owner"));
    expect(watched.room.isLacking).toBe(true);
    // The check itself writes, so that clients need not find the space.
    expect(await parts()).toEqual(["degraded", "ok", "degraded"]);
    // Space on the disk is found without an upload, space in the store by an upload.
    isFull.disk = false;
    await parts();
    expect(await parts()).toEqual(["ok", "ok", "ok"]);
    await expect(upload()).rejects.toThrow("no space");
    expect(await parts()).toEqual(["degraded", "ok", "degraded"]);
    isFull.store = false;
    expect(await parts()).toEqual(["degraded", "ok", "degraded"]);
    expect(await upload()).toBe(true);
    expect(await parts()).toEqual(["ok", "ok", "ok"]);
    await database.close();
  });
});
