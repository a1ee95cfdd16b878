import { join } from "node:path";
import { SQL } from "bun";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { insertGrant, revokeGrant } from "#server/domains/tokens/grants.ts";
import { uuidNumber } from "#server/kit/ordered-uuid.ts";
import { describeNeeding } from "#test/support/needs.ts";
import {
  caller,
  createTestPlatform,
  field,
  openTestPlatform,
  testBaseUrl,
  type Answered,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { newMember } from "../domains/members/world.ts";
import { ownChild } from "../domains/workspaces/own-child.ts";
import { eventually } from "#test/support/eventually.ts";

/**
 * Two platforms on one database; `there` has its own data directory, with the same key. Its clock
 * stands still, so that nothing which it keeps becomes old.
 */
describeNeeding("two platforms on one database", missingPostgres, () => {
  let here: TestPlatform;
  let there: TestPlatform;
  beforeAll(async () => {
    here = await openTestPlatform("postgresql", {});
    const begun = here.now();
    const { engine, databaseUrl: url, dataDirectory } = here;
    there = await createTestPlatform({
      database: { engine, url, path: undefined, drop: async () => {} },
      residents: here,
      options: {
        dataDirectory: await temporaryDirectory("data"),
        keyFile: join(dataDirectory, "svc.key"),
        now: () => begun,
      },
    });
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  const tenant = (): string => here.workspaces.tenant;
  const base = (): string => `/v4/platform/tenants/${tenant()}`;
  const admin = (): Caller => here.as("tenant-admin");
  /** Waits until a request to `there` has this status. */
  const becomes = (status: number, ask: () => Promise<Answered>): Promise<void> =>
    eventually(async () => expect((await ask()).status).toBe(status));
  const withToken = (token: string): Caller =>
    caller((request) => there.platform.fetch(request), token);

  test("make records at once without two of one number on SQLite", async () => {
    const headers = { "x-tenant-id": tenant() };
    const type = { name: "Note", slug: "note", properties: { text: { type: "string" } } };
    const builder = here.as("tenant-builder");
    await builder.post("/v4/data/resources/object-types", type, { headers });
    const path = `/v4/data/resources/${tenant()}/note/batch/create`;
    const items = Array.from({ length: 300 }, () => ({ text: "joy" }));
    // Both count from the same time.
    const at = there.now();
    const numbers: number[] = [];
    for (const the of [here, there]) {
      const { ids } = the.platform.changes;
      numbers.push(...items.map(() => uuidNumber(ids.next(at))));
    }
    const made = await Promise.all(
      [here, there].map((the) => the.as("tenant-staff").post(path, { items })),
    );
    for (const { status, json } of made) {
      expect(status).toBeLessThan(300);
      const results = field(json, "results");
      if (!Array.isArray(results)) throw new Error("a batch has results");
      numbers.push(...results.map((result) => uuidNumber(String(field(result, "id")))));
    }
    expect(new Set(numbers).size).toBe(1200);
  });

  test("agree on the role of a member", async () => {
    const email = here.users["tenant-staff"].email;
    const found = await admin().get(`${base()}/users/by-email?email=${encodeURIComponent(email)}`);
    const path = `${base()}/members/${String(field(found.json, "memberId"))}/roles`;
    const ask = () => there.as("tenant-staff").get(`${base()}/invitations`);
    expect((await ask()).status).toBe(403);
    await admin().patch(path, { role: "tenant-admin" });
    await becomes(200, ask);
    await admin().patch(path, { role: "tenant-staff" });
    await becomes(403, ask);
  });

  test("give an admin whose removal has not reached them yet nothing that lasts", async () => {
    const newAdmin = () => newMember(here, tenant(), { role: "tenant-admin" });
    await using sql = new SQL(here.databaseUrl ?? "", { max: 1 });
    for (const change of ["removed", "demoted"]) {
      const [late, other] = [await newAdmin(), await newAdmin()];
      expect((await late.call.get(`${base()}/keys`)).status).toBe(200);
      const demotion = { role: "tenant-viewer" };
      // The feed has no row of this change.
      if (change === "removed") await sql`delete from members where oid = ${late.oid}`;
      else await sql`update members set role = ${demotion.role} where oid = ${late.oid}`;
      const answers = await Promise.all([
        late.call.post(`${base()}/keys`, { name: "Late", role: "tenant-admin" }),
        late.call.post(`${base()}/members/invite`, { email: "l@example.org", ...demotion }),
        late.call.patch(`${base()}/members/${other.memberId}/roles`, demotion),
        late.call.delete(`${base()}/members/${other.memberId}`),
        late.call.post(`${base()}/group-rules`, { value: "g", issuer: testBaseUrl, ...demotion }),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toEqual(statuses.map(() => (change === "removed" ? 404 : 403)));
    }
  });

  test("agree on a key that is revoked", async () => {
    const made = await admin().post(`${base()}/keys`, { name: "key", role: "tenant-viewer" });
    const call = withToken(String(field(made.json, "token")));
    const ask = () => call.get(`/v4/data/resources/schema/${tenant()}`);
    expect((await ask()).status).toBe(200);
    await admin().delete(`${base()}/keys/${String(field(field(made.json, "key"), "keyId"))}`);
    await becomes(401, ask);
  });

  test("agree on the tokens of an account that are revoked", async () => {
    const email = here.users["outsider"].email;
    const { token } = await here.platform.mintToken({ email, ttlMs: 60_000 });
    const ask = () => withToken(token).get("/v4/identity/me");
    expect((await ask()).status).toBe(200);
    await here
      .as("system-admin")
      .post(`/v4/platform/users/${here.users.outsider.oid}/revoke-tokens`);
    await becomes(401, ask);
  });

  test("agree on a grant that is revoked", async () => {
    const { oid } = here.users["tenant-viewer"];
    const work = here.platform.platformWork("test");
    const id = Bun.randomUUIDv7();
    const at = here.now().toISOString();
    const grant = { id, client_id: "svc", oid, scope: "openid", revoked_at: null };
    await work.write((tx) => insertGrant(tx, { ...grant, signed_in_at: at, created_at: at }));
    const user = await here.platform.services.access.user(oid);
    if (user === undefined) throw new Error("the user exists");
    const { token } = await here.platform.services.tokens.issueAccessToken({
      user,
      issuer: `${testBaseUrl}/auth`,
      clientId: "svc",
      scope: "openid",
      grantId: id,
      lifetimeMs: 60_000,
    });
    const ask = () => withToken(token).get("/v4/identity/me");
    expect((await ask()).status).toBe(200);
    await work.write((tx) => revokeGrant(tx, id, at));
    await becomes(401, ask);
  });

  test("agree on a workspace that is deleted and restored", async () => {
    const id = await ownChild(here);
    const ask = () => there.as("tenant-admin").get(`/v4/platform/tenants/${id}/members`);
    expect((await ask()).status).toBe(200);
    await admin().post(`/v4/platform/tenants/${id}/delete`);
    await becomes(404, ask);
    await admin().post(`/v4/platform/tenants/${id}/restore`);
    await becomes(200, ask);
  });

  test("agree on the definition of an Object Type", async () => {
    const body = { slug: "boat", name: "Boat", properties: { a: { type: "string" } } };
    const at = { headers: { "x-tenant-id": tenant() } };
    const made = await admin().post("/v4/data/resources/object-types", body, at);
    const query = { types: ["boat"], sort: "a" };
    const list = `/v4/data/resources/${tenant()}/query`;
    const ask = () => there.as("tenant-staff").post(list, query);
    expect((await ask()).status).toBe(200);
    const path = `/v4/data/resources/object-types/${String(field(made.json, "id"))}`;
    const changed = await admin().patch(path, { properties: { b: { type: "string" } } }, at);
    expect(changed.status, changed.text).toBe(200);
    expect((await here.as("tenant-staff").post(list, query)).status).toBe(422);
    await becomes(422, ask);
  });

  test("accept no write after the answer to a workspace's deletion", async () => {
    const id = await ownChild(here);
    const at = { headers: { "x-tenant-id": id } };
    const type = { slug: "boat", name: "Boat", properties: { a: { type: "string" } } };
    await admin().post("/v4/data/resources/object-types", type, at);
    const remote = there.as("tenant-admin");
    const writes: readonly (() => Promise<Answered>)[] = [
      () => remote.post(`/v4/data/resources/${id}/boat`, { a: "x" }),
      () =>
        remote.post("/v4/data/resources/object-types", { ...type, slug: crypto.randomUUID() }, at),
      () => remote.post(`/v4/platform/tenants/${id}/keys`, { name: "k", role: "tenant-viewer" }),
    ];
    for (const write of writes) expect((await write()).status).toBeLessThan(500);
    let isAnswered = false;
    const accepted: Answered[] = [];
    const callers = writes.map(async (write) => {
      for (let after = 0; after < 20; after += isAnswered ? 1 : 0) {
        const isAfter = isAnswered;
        const answered = await write();
        if (isAfter && answered.status < 300) accepted.push(answered);
        expect(answered.status).toBeLessThan(500);
      }
    });
    const deleted = await admin().post(`/v4/platform/tenants/${id}/delete`);
    isAnswered = true;
    await Promise.all(callers);
    expect(deleted.status, deleted.text).toBe(200);
    expect(accepted).toEqual([]);
  });

  test("have the database's time, whatever the clocks of their machines are", async () => {
    const skewMs = 5_000;
    const skewed = (): number => Date.now() + skewMs;
    const { engine, databaseUrl: url, dataDirectory } = here;
    const ahead = await createTestPlatform({
      database: { engine, url, path: undefined, drop: async () => {} },
      residents: here,
      options: {
        dataDirectory: await temporaryDirectory("data"),
        keyFile: join(dataDirectory, "svc.key"),
        now: () => new Date(skewed()),
        systemMs: skewed,
      },
    });
    onTestFinished(() => ahead.close());
    const { token } = await ahead.platform.mintToken({ ttlMs: 60_000 });
    const { nbf } = decodeJwt(token);
    expect((nbf ?? 0) * 1000).toBeLessThan(Date.now() + skewMs / 2);
    expect((await caller(here.answer, token).get("/v4/identity/me")).status).toBe(200);
  });
});
