import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { good, secretName } from "./world.ts";

/** So many values of this length need two pages, and the rest of the records needs one. */
const [count, large] = [10, 900_000];

describePlatform("the size of a page", (the) => {
  test("depends on what the caller may read, and does not show the size of hidden fields", async () => {
    const { tenant } = the().workspaces;
    const admin = the().as("tenant-admin");
    const headers = { "x-tenant-id": tenant };
    const of = { type: "reference", targetObjectType: "dossier" };
    const properties = {
      title: { type: "string", indexed: true, searchable: true },
      [secretName]: { type: "text", readRoles: ["tenant-admin"] },
      twin: { ...of, onDelete: "clear" },
    };
    const type = { name: "Dossier", slug: "dossier", properties };
    good(await admin.post("/v4/data/resources/object-types", type, { headers }));
    const path = `/v4/data/resources/${tenant}/dossier`;
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const data = { title: `t${number} elm`, [secretName]: "x".repeat(large) };
      ids.push(String(field(good(await admin.post(path, data)).json, "id")));
    }
    const search = { query: "elm", types: ["dossier"], limit: 100 };
    const found: Record<string, string> = { search: "results", fields: "results" };
    const pages = async (user: "tenant-admin" | "tenant-viewer") => {
      const caller = the().as(user);
      const records = `/v4/data/resources/${tenant}`;
      const query = { types: ["dossier"], limit: 500 };
      const answers = {
        list: await caller.get(`${path}?limit=500`),
        sorted: await caller.get(`${path}?limit=500&sort=-title`),
        query: await caller.post(`${records}/query`, query),
        search: await caller.post(`${records}/search`, search),
        fields: await caller.post(`${records}/search`, { ...search, fields: "title" }),
      };
      return Object.fromEntries(
        Object.entries(answers).map(([name, { json }]) => [
          name,
          Object.values(Object(field(json, found[name] ?? "items"))).length,
        ]),
      );
    };
    const deleted = async (user: "tenant-admin" | "tenant-viewer") => {
      const { json } = await the().as(user).get(`${path}/deleted?limit=500`);
      return Object.values(Object(field(json, "items"))).length;
    };
    const all = { list: count, sorted: count, query: count, search: count, fields: count };
    const cut = { ...all, list: 9, sorted: 9, query: 9, search: 9 };
    expect(await pages("tenant-admin")).toEqual(cut);
    expect(await pages("tenant-viewer")).toEqual(all);
    // The references that lead to the records, and the records that refer to one.
    const shelf = {
      name: "Shelf",
      slug: "shelf",
      properties: { of: { type: "array", items: of } },
    };
    good(await admin.post("/v4/data/resources/object-types", shelf, { headers }));
    const shelves = `/v4/data/resources/${tenant}/shelf`;
    const shelfId = String(field(good(await admin.post(shelves, { of: ids })).json, "id"));
    for (const id of ids) good(await admin.patch(`${path}/${id}`, { data: { twin: ids[0] } }));
    const expanded = async (user: "tenant-admin" | "tenant-viewer") => {
      const caller = the().as(user);
      const forward = await caller.get(`${shelves}/${shelfId}?expand=of`);
      const backward = good(await caller.get(`${path}/${ids[0]}?expand=dossier.twin&fields=title`));
      const referring = field(field(backward.json, "expanded"), "dossier.twin");
      const items = Object.values(Object(field(referring, "items")));
      return [forward.status, items.length, field(referring, "total")];
    };
    expect(await expanded("tenant-admin")).toEqual([422, 9, count]);
    expect(await expanded("tenant-viewer")).toEqual([200, count, count]);
    good(await admin.delete(`${shelves}/${shelfId}`));
    for (const id of ids) good(await admin.delete(`${path}/${id}`));
    expect(await deleted("tenant-admin")).toBe(9);
    expect(await deleted("tenant-viewer")).toBe(count);
  });

  test("of a search is not filled by records that match only by hidden fields", async () => {
    const { tenant } = the().workspaces;
    const admin = the().as("tenant-admin");
    const headers = { "x-tenant-id": tenant };
    const properties = {
      title: { type: "string", searchable: true },
      [secretName]: { type: "string", searchable: true, readRoles: ["tenant-admin"] },
    };
    const type = { name: "Docket", slug: "docket", properties };
    good(await admin.post("/v4/data/resources/object-types", type, { headers }));
    const base = `/v4/data/resources/${tenant}`;
    const batch = (items: object[]) => admin.post(`${base}/docket/batch/create`, { items });
    good(await batch(Array.from({ length: 5 }, (_, at) => ({ data: { title: `willow ${at}` } }))));
    const hidden = { data: { title: "oak", [secretName]: "willow" } };
    good(await batch(Array.from({ length: 400 }, () => hidden)));
    const query = { query: "willow", types: ["docket"], mode: "fulltext", limit: 20 };
    const { json } = good(await the().as("tenant-viewer").post(`${base}/search`, query));
    expect(Object.values(Object(field(json, "results")))).toHaveLength(5);
  });
});
