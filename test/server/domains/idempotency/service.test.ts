import { afterAll, expect, test } from "vitest";
import {
  createTestPlatform,
  describePlatform,
  field,
  type Caller,
} from "#test/support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";

const hours = 60 * 60 * 1000;
const roots = "/v4/platform/tenants";

function root(slug: string) {
  return { slug, displayName: slug, homeRegion: "eu" };
}

function post(caller: Caller, key: string, body: unknown) {
  return caller.post(roots, body, { headers: { "idempotency-key": key } });
}

describePlatform("an Idempotency-Key", (the) => {
  test("returns the first response again, with its status and no second effect", async () => {
    const admin = the().as("system-admin");
    const first = await post(admin, "key-1", root("once"));
    const second = await post(admin, "key-1", root("once"));
    expect(first.status).toBe(201);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  });

  test("may be written as a quoted string", async () => {
    const admin = the().as("system-admin");
    const first = await post(admin, '"quoted"', root("quoted"));
    const second = await post(admin, "quoted", root("quoted"));
    expect(second.text).toBe(first.text);
  });

  test("with another body is 422", async () => {
    const admin = the().as("system-admin");
    await post(admin, "key-2", root("two"));
    const other = await post(admin, "key-2", root("three"));
    expect(other.json).toMatchObject({ status: 422, code: "idempotency-key-reused" });
  });

  test("with the same body at another path is 422", async () => {
    const { tenant } = the().workspaces;
    const admin = the().as("tenant-admin");
    const headers = { "idempotency-key": "key-3" };
    const child = { slug: "keyed", displayName: "Keyed" };
    expect((await admin.post(`${roots}/${tenant}/children`, child, { headers })).status).toBe(201);
    const elsewhere = await admin.post(`${roots}/${tenant}/members/invite`, child, { headers });
    // A body that does not fit the path is refused first.
    expect(elsewhere.status).toBe(422);
  });

  test("belongs to its caller: the same key of another caller is another request", async () => {
    const { tenant } = the().workspaces;
    const headers = { "idempotency-key": "shared" };
    const child = (slug: string) => ({ slug, displayName: slug });
    const path = `${roots}/${tenant}/children`;
    const mine = await the().as("tenant-admin").post(path, child("mine-1"), { headers });
    const theirs = await the().as("system-admin").post(path, child("theirs-1"), { headers });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  test("of a refused request may be used again", async () => {
    const admin = the().as("system-admin");
    const taken = await post(admin, "key-4", root("tenant"));
    expect(taken.status).toBe(409);
    expect((await post(admin, "key-4", root("tenant"))).status).toBe(409);
    expect((await post(admin, "key-4", root("free"))).status).toBe(201);
  });

  test("sent fifty times concurrently has one effect", async () => {
    const admin = the().as("system-admin");
    const all = await Promise.all(
      Array.from({ length: 50 }, () => post(admin, "burst", root("burst"))),
    );
    const created = all.filter(({ status }) => status === 201);
    const waiting = all.filter(({ json }) => field(json, "code") === "request-in-progress");
    expect(created.length + waiting.length).toBe(50);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(waiting[0]?.headers.get("retry-after") ?? "1").toBe("1");
    const after = await post(admin, "burst", root("burst"));
    expect(after.text).toBe(created[0]?.text);
  });

  test.each(["", "x".repeat(256), "with space"])("that is invalid is refused: %j", async (key) => {
    const answered = await post(the().as("system-admin"), key, root("bad-key"));
    expect(answered.json).toMatchObject({ status: 400, code: "malformed-request" });
  });

  test("is forgotten after 24 hours", async () => {
    const admin = the().as("system-admin");
    await post(admin, "old", root("old"));
    the().advance(25 * hours);
    const again = await post(await freshAdmin(), "old", root("old"));
    expect(again.json).toMatchObject({ status: 409, code: "already-exists" });

    async function freshAdmin(): Promise<Caller> {
      const { token } = await the().platform.mintToken({ ttlMs: hours });
      const headers = { authorization: `Bearer ${token}` };
      const as = the().as("nobody");
      return {
        ...as,
        post: (path, body, options) =>
          as.post(path, body, { headers: { ...headers, ...options?.headers } }),
      };
    }
  });
});

describeEachDatabase("an Idempotency-Key after a restart", ({ engine }) => {
  const created: TestDatabase[] = [];
  afterAll(() => Promise.all(created.map((database) => database.drop())));

  test("still returns the first response", async () => {
    const database = await createPlatformTables(engine);
    created.push(database);
    const before = await createTestPlatform({ database });
    const first = await post(before.as("system-admin"), "kept", root("kept"));
    const { token } = before.users["system-admin"];
    await before.close();
    const { createPlatform } = await import("#server/platform.ts");
    const after = await createPlatform({
      dataDirectory: before.dataDirectory,
      databaseUrl: database.url,
      baseUrl: before.baseUrl,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      extractionCommand: [],
    });
    const again = await after.fetch(
      new Request(`${before.baseUrl}${roots}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": "kept",
        },
        body: JSON.stringify(root("kept")),
      }),
    );
    expect(again.status).toBe(201);
    expect(await again.text()).toBe(first.text);
    await after.close();
  });
});
