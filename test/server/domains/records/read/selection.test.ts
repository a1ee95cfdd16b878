import { describe, expect, test } from "vitest";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";

const types = [
  {
    name: "Officer",
    slug: "sel-officer",
    properties: { name: { type: "string", unique: true }, grade: { type: "integer" } },
  },
  {
    name: "Site",
    slug: "sel-site",
    properties: {
      name: { type: "string", searchable: true },
      notes: { type: "text" },
      shape: { type: "object", properties: { b: { type: "integer" }, a: { type: "integer" } } },
      officer: { type: "reference", targetObjectType: "sel-officer" },
      deputy: { type: "reference", targetObjectType: "sel-officer", onDelete: "clear" },
      watchers: {
        type: "array",
        items: { type: "reference", targetObjectType: "sel-officer", onDelete: "clear" },
      },
    },
    linkTypes: [{ name: "near", targetObjectType: "sel-site", cardinality: "many" }],
  },
  {
    name: "Inspection",
    slug: "sel-inspection",
    properties: {
      number: { type: "integer" },
      site: { type: "reference", targetObjectType: "sel-site", indexed: true },
      plain: { type: "reference", targetObjectType: "sel-site" },
      sites: { type: "array", items: { type: "reference", targetObjectType: "sel-site" } },
    },
  },
];

interface Scene {
  readonly place: string;
  create(slug: string, data: object): Promise<string>;
  read(path: string): Promise<Answered>;
  ask(path: string, body: object): Promise<Answered>;
}

const prepared = new WeakMap<TestPlatform, Promise<void>>();

async function sceneOf(the: TestPlatform): Promise<Scene> {
  const { tenant } = the.workspaces;
  const headers = { "x-tenant-id": tenant };
  const ready =
    prepared.get(the) ??
    (async () => {
      for (const type of types) {
        const made = await the
          .as("tenant-builder")
          .post("/v4/data/resources/object-types", type, { headers });
        expect(made.status, made.text).toBe(201);
      }
    })();
  prepared.set(the, ready);
  await ready;
  const place = `/v4/data/resources/${tenant}`;
  return {
    place,
    async create(slug, data) {
      const made = await the.as("tenant-staff").post(`${place}/${slug}`, data);
      expect(made.status, made.text).toBe(201);
      return String(field(made.json, "id"));
    },
    read: (path) => the.as("tenant-viewer").get(`${place}/${path}`),
    ask: (path, body) => the.as("tenant-viewer").post(`${place}/${path}`, body),
  };
}

const dataOf = ({ json }: Answered) => field(json, "data");
const itemsOf = ({ json }: Answered) => field(json, "items") as Record<string, unknown>[];
const refusedAt = (pointer: string) => ({ status: 422, json: { errors: [{ pointer }] } });

describePlatform("parts of records", (the) => {
  describe("fields", () => {
    const site = { name: "Quay", notes: "Long", shape: { b: 1, a: 2 } };

    test("name the properties of a record, in the order of its type", async () => {
      const { create, read } = await sceneOf(the());
      const id = await create("sel-site", site);
      const some = await read(`sel-site/${id}?fields=shape,name,officer`);
      expect(JSON.stringify(dataOf(some))).toBe('{"name":"Quay","shape":{"b":1,"a":2}}');
      expect(some.json).toMatchObject({ id, version: 1, type: "sel-site" });
      expect(some.headers.get("etag")).toBe('"1"');
      expect(dataOf(await read(`sel-site/${id}?fields=-notes,-shape`))).toEqual({ name: "Quay" });
      expect(dataOf(await read(`sel-site/${id}?fields=officer`))).toEqual({});
      expect(dataOf(await read(`sel-site/${id}?fields=name&version=1`))).toEqual({ name: "Quay" });
    });

    test("apply to lists, queries and searches", async () => {
      const { create, read, ask } = await sceneOf(the());
      const id = await create("sel-site", { ...site, name: "Herringbone" });
      const where = encodeURIComponent(JSON.stringify({ id }));
      const list = await read(`sel-site?fields=notes&where=${where}&sort=name`);
      expect(itemsOf(list).map(({ data }) => data)).toEqual([{ notes: "Long" }]);
      const query = await ask("query", {
        types: ["sel-site", "sel-officer"],
        where: { id },
        fields: "grade,notes",
      });
      expect(itemsOf(query).map(({ data }) => data)).toEqual([{ notes: "Long" }]);
      const search = await ask("search", { query: "herringbone", fields: "-name,-shape" });
      expect(search.json).toMatchObject({ results: [{ id, data: { notes: "Long" } }] });
    });

    test.for([
      ["nope", "is not a property"],
      ["-nope", "is not a property"],
      ["name,-notes", "must name either"],
      ["constructor", "is not a property"],
    ] as const)("refuse %s", async ([fields, words]) => {
      const { create, read, ask } = await sceneOf(the());
      const id = await create("sel-site", site);
      for (const answered of [
        await read(`sel-site/${id}?fields=${fields}`),
        await read(`sel-site?fields=${fields}`),
      ]) {
        expect(answered).toMatchObject(refusedAt("#/query/fields"));
        expect(answered.text).toContain(words);
      }
      expect(await ask("query", { types: ["sel-site"], fields })).toMatchObject(
        refusedAt("#/fields"),
      );
    });
  });

  describe("expand", () => {
    test("follows a reference, a list of references and links", async () => {
      const { create, read, place } = await sceneOf(the());
      const officer = await create("sel-officer", { name: crypto.randomUUID(), grade: 3 });
      const gone = await create("sel-officer", { name: crypto.randomUUID() });
      const near = await create("sel-site", { name: "Pier" });
      const id = await create("sel-site", {
        name: "Quay",
        officer,
        deputy: gone,
        watchers: [gone, officer],
        near: [near],
      });
      await the().as("tenant-staff").delete(`${place}/sel-officer/${gone}`);
      const expand = "officer,deputy,watchers,near";
      const answered = await read(`sel-site/${id}?expand=${expand}&fields=name`);
      expect(dataOf(answered)).toEqual({ name: "Quay" });
      expect(field(answered.json, "expanded")).toMatchObject({
        officer: { id: officer, type: "sel-officer", version: 1, data: { grade: 3 } },
        deputy: null,
        watchers: { items: [{ id: officer }], total: 1 },
        near: { items: [{ id: near, data: { name: "Pier" } }], total: 1 },
      });
      const bare = await read(`sel-site/${near}?expand=${expand}`);
      expect(field(bare.json, "expanded")).toEqual({
        officer: null,
        deputy: null,
        watchers: { items: [], total: 0 },
        near: { items: [], total: 0 },
      });
    });

    test.for(["site", "plain", "sites"] as const)(
      "gives the newest records that refer by %s, and counts all",
      async (property) => {
        const { create, read, place } = await sceneOf(the());
        const id = await create("sel-site", { name: "Busy" });
        const quiet = await create("sel-site", { name: "Quiet" });
        const value = property === "sites" ? [id, id] : id;
        const items = Array.from({ length: 103 }, (_, number) => ({
          data: { number, [property]: value },
        }));
        const made = await the()
          .as("tenant-staff")
          .post(`${place}/sel-inspection/batch/create`, { items });
        expect(made.status, made.text).toBe(200);
        const name = `sel-inspection.${property}`;
        const where = encodeURIComponent(JSON.stringify({ id: { $in: [id, quiet] } }));
        const list = await read(`sel-site?expand=${name}&where=${where}&sort=name`);
        const [busy, other] = itemsOf(list).map(
          ({ expanded }) => field(expanded, name) as { items: unknown[]; total: number },
        );
        expect(busy).toMatchObject({ total: 103 });
        expect(busy?.items).toHaveLength(100);
        const numbers = (busy?.items ?? []).map((item) => field(field(item, "data"), "number"));
        expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => 102 - index));
        expect(other).toEqual({ items: [], total: 0 });
      },
    );

    test("applies to queries of several types and to searches", async () => {
      const { create, ask } = await sceneOf(the());
      const officer = await create("sel-officer", { name: crypto.randomUUID() });
      const id = await create("sel-site", { name: "Marlinspike", officer });
      const query = await ask("query", {
        types: ["sel-site", "sel-officer"],
        where: { id: { $in: [id, officer] } },
        expand: "officer",
        sort: "id",
      });
      expect(itemsOf(query)).toMatchObject([
        { id: officer, expanded: {} },
        { id, expanded: { officer: { id: officer } } },
      ]);
      const search = await ask("search", { query: "marlinspike", expand: "officer" });
      expect(search.json).toMatchObject({
        results: [{ id, expanded: { officer: { id: officer } } }],
      });
    });

    test.for(["name", "nope", "sel-officer.name", "sel-inspection.nope", "none.site"])(
      "refuses %s",
      async (expand) => {
        const { create, read } = await sceneOf(the());
        const id = await create("sel-site", { name: "Quay" });
        expect(await read(`sel-site/${id}?expand=${expand}`)).toMatchObject(
          refusedAt("#/query/expand"),
        );
      },
    );

    test("of records that are too large together is refused with the place", async () => {
      const { create, read } = await sceneOf(the());
      const notes = "n".repeat(900_000);
      const large: string[] = [];
      for (let count = 0; count < 10; count += 1) {
        large.push(await create("sel-site", { name: "Large", notes }));
      }
      const id = await create("sel-site", { name: "Hub", near: large });
      expect(await read(`sel-site/${id}?expand=near`)).toMatchObject(refusedAt("#/query/expand"));
    });
  });
});
