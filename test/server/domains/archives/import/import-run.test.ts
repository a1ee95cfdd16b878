import { afterAll, beforeAll, expect, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  createTestPlatform,
  field,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";
import {
  createSqliteDatabase,
  createTestDatabase,
  missingPostgres,
  type TestDatabase,
} from "#test/support/postgres.ts";
import {
  digestsOf,
  fillWorkspace,
  importedArchive,
  takenArchive,
  type TakenArchive,
} from "../world.ts";

describeNeeding("an import of an archive", missingPostgres, () => {
  const databases: TestDatabase[] = [];
  const platforms: TestPlatform[] = [];
  let source: TestPlatform;
  let target: TestPlatform;
  let again: TestPlatform;
  let archive: TakenArchive;

  const opened = async (create: () => Promise<TestDatabase>): Promise<TestPlatform> => {
    const database = await create();
    databases.push(database);
    const platform = await createTestPlatform({ database });
    platforms.push(platform);
    return platform;
  };

  beforeAll(async () => {
    source = await opened(createSqliteDatabase);
    target = await opened(createTestDatabase);
    again = await opened(createSqliteDatabase);
    await fillWorkspace(source);
    archive = await takenArchive(source);
  });

  afterAll(async () => {
    for (const each of platforms) await each.close();
    for (const each of databases) await each.drop();
  });

  test("brings a workspace from SQLite to PostgreSQL and back, with equal digests", async () => {
    const { other } = target.workspaces;
    const there = await importedArchive(target, other, archive.bytes, "outsider");
    expect(there, JSON.stringify(there)).toMatchObject({ status: "succeeded", renamedCount: 0 });
    const onPostgresql = await takenArchive(target, other, {}, "outsider");
    expect(digestsOf(onPostgresql.manifest)).toEqual(digestsOf(archive.manifest));
    expect(onPostgresql.manifest.files).toEqual(archive.manifest.files);

    const own = again.workspaces.other;
    const back = await importedArchive(again, own, onPostgresql.bytes, "outsider");
    expect(back, JSON.stringify(back)).toMatchObject({ status: "succeeded" });
    const onSqlite = await takenArchive(again, own, {}, "outsider");
    expect(digestsOf(onSqlite.manifest)).toEqual(digestsOf(archive.manifest));
  });

  test("records, files and documents are found, read and changed as before", async () => {
    const { other } = target.workspaces;
    const admin = target.as("outsider");
    const headers = { "x-tenant-id": other };
    const records = `/v4/data/resources/${other}`;
    const listed = await admin.get(`${records}/application?where={"zeta":10}&count=true`);
    expect(field(listed.json, "total"), listed.text).toBe(1);
    const items = field(listed.json, "items");
    const [record] = Array.isArray(items) ? items : [];
    const id = String(field(record, "id"));
    const history = await admin.get(`${records}/application/${id}/history`);
    expect(field(history.json, "items")).toMatchObject([
      { version: 3 },
      { version: 2 },
      { version: 1 },
    ]);
    const file = await admin.get(`${records}/application/${id}/files/plan`);
    expect(file.text).toBe("The plan 1.");
    const search = { query: "fence lane", types: ["application"] };
    const found = await admin.post(`${records}/search`, search);
    expect(field(found.json, "results"), found.text).toHaveLength(5);
    const passages = "/v4/data/documents/search?query=permission%20fence";
    expect((await admin.get(passages, { headers })).text).toContain("two metres high");
    const documents = "/v4/data/documents/records";
    const [document] = Object(field((await admin.get(documents, { headers })).json, "items"));
    const tables = await admin.get(`${documents}/${String(field(document, "documentId"))}/tables`, {
      headers,
    });
    expect(tables.json, tables.text).toMatchObject({ items: [{ header: 1, rows: { length: 3 } }] });
    const patched = await admin.patch(`${records}/application/${id}`, { data: { zeta: 11 } });
    expect(field(patched.json, "version"), patched.text).toBe(4);
  });

  test("makes new ids on SQLite for records that the platform has, with their references", async () => {
    const { tenant, other } = again.workspaces;
    const state = await importedArchive(again, tenant, archive.bytes);
    expect(state, JSON.stringify(state)).toMatchObject({ status: "succeeded" });
    const records = archive.manifest.parts
      .filter(({ name }) => name.startsWith("records/"))
      .reduce((sum, { count }) => sum + count, 0);
    expect(state.renamedCount).toBe(records);
    const of = async (user: TestUser, workspace: string): Promise<unknown> => {
      const path = `/v4/data/resources/${workspace}/application`;
      const answer = await again.as(user).get(`${path}?sort=reference&limit=1`);
      const items = field(answer.json, "items");
      return Array.isArray(items) ? items[0] : undefined;
    };
    const [first, copy] = [await of("outsider", other), await of("tenant-admin", tenant)];
    const renamed = new Map(state.renamed?.map(({ archived, stored }) => [archived, stored]));
    expect(field(copy, "id")).toBe(renamed.get(String(field(first, "id"))));
    const officer = String(field(field(copy, "data"), "officer"));
    expect(officer).toBe(renamed.get(String(field(field(first, "data"), "officer"))));
  });

  test("brings a workspace into a new one, which has the types of the platform", async () => {
    const create = async (the: TestPlatform, slug: string): Promise<string> => {
      const body = { displayName: slug, slug, homeRegion: "eu" };
      const made = await the.as("system-admin").post("/v4/platform/tenants", body);
      expect(made.status, made.text).toBe(201);
      return String(field(made.json, "id"));
    };
    const from = await create(source, "moved-away");
    const headers = { "x-tenant-id": from };
    const tree = { name: "Tree", slug: "tree", properties: { tag: { type: "string" } } };
    const types = "/v4/data/resources/object-types";
    expect((await source.as("system-admin").post(types, tree, { headers })).status).toBe(201);
    const records = `/v4/data/resources/${from}/tree`;
    expect((await source.as("system-admin").post(records, { data: { tag: "a" } })).status).toBe(
      201,
    );
    const taken = await takenArchive(source, from, {}, "system-admin");
    const to = await create(target, "moved-here");
    const state = await importedArchive(target, to, taken.bytes, "system-admin");
    expect(state, JSON.stringify(state)).toMatchObject({ status: "succeeded" });
    const there = await takenArchive(target, to, {}, "system-admin");
    expect(digestsOf(there.manifest)).toEqual(digestsOf(taken.manifest));
    const listed = await target.as("system-admin").get(types, { headers: { "x-tenant-id": to } });
    expect(listed.text).toContain("shared-ai-profile");

    const other = await create(target, "moved-elsewhere");
    const elsewhere = { headers: { "x-tenant-id": other } };
    const bush = { ...tree, properties: { tag: { type: "integer" } } };
    expect((await target.as("system-admin").post(types, bush, elsewhere)).status).toBe(201);
    const refused = await importedArchive(target, other, taken.bytes, "system-admin");
    expect(refused.error?.message).toContain("other definitions with slugs of the archive: tree");
  });

  test("stores nothing twice where the workspace has it all", async () => {
    const { tenant } = source.workspaces;
    const state = await importedArchive(source, tenant, archive.bytes);
    expect(state, JSON.stringify(state)).toMatchObject({
      status: "completed_with_errors",
      error: { code: "conflict" },
      renamedCount: 0,
      refused: [],
    });
    const stored = state.parts?.filter((part) => part.stored > 0).map(({ name }) => name);
    expect(stored).toEqual(["object-types", "members"]);
    const { manifest } = await takenArchive(source);
    expect(digestsOf(manifest)).toEqual(digestsOf(archive.manifest));
  });

  test("refuses a damaged archive before it stores anything", async () => {
    const { tenant } = target.workspaces;
    const damaged = Uint8Array.from(archive.bytes);
    const middle = Math.floor(damaged.byteLength / 2);
    damaged[middle] = (damaged[middle] ?? 0) ^ 1;
    const state = await importedArchive(target, tenant, damaged);
    expect(state).toMatchObject({ status: "failed", error: { code: "archive-damaged" } });
    const types = await target.as("tenant-admin").get("/v4/data/resources/object-types", {
      headers: { "x-tenant-id": tenant },
    });
    expect(types.text).not.toContain("application");
  });

  test("needs an admin of the workspace", async () => {
    const { tenant } = target.workspaces;
    const headers = { "content-type": "application/octet-stream" };
    for (const [user, status] of [
      ["tenant-builder", 403],
      ["outsider", 404],
    ] as const) {
      const path = `/v4/platform/tenants/${tenant}/archive-imports`;
      const options = { headers, rawBody: archive.bytes };
      const answer = await target.as(user).post(path, undefined, options);
      expect(answer.status, user).toBe(status);
    }
    await eventually(async () => expect(target.log).toEqual([]));
  });
});
