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
    const properties = {
      title: { type: "string", indexed: true },
      [secretName]: { type: "text", readRoles: ["tenant-admin"] },
    };
    const type = { name: "Dossier", slug: "dossier", properties };
    good(await admin.post("/v4/data/resources/object-types", type, { headers }));
    const path = `/v4/data/resources/${tenant}/dossier`;
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const data = { title: `t${number}`, [secretName]: "x".repeat(large) };
      ids.push(String(field(good(await admin.post(path, data)).json, "id")));
    }
    const pages = async (user: "tenant-admin" | "tenant-viewer") => {
      const caller = the().as(user);
      const records = `/v4/data/resources/${tenant}`;
      const query = { types: ["dossier"], limit: 500 };
      const answers = {
        list: await caller.get(`${path}?limit=500`),
        sorted: await caller.get(`${path}?limit=500&sort=-title`),
        query: await caller.post(`${records}/query`, query),
      };
      return Object.fromEntries(
        Object.entries(answers).map(([name, { json }]) => [
          name,
          Object.values(Object(field(json, "items"))).length,
        ]),
      );
    };
    const deleted = async (user: "tenant-admin" | "tenant-viewer") => {
      const { json } = await the().as(user).get(`${path}/deleted?limit=500`);
      return Object.values(Object(field(json, "items"))).length;
    };
    const cut = { list: 9, sorted: 9, query: 9 };
    expect(await pages("tenant-admin")).toEqual(cut);
    expect(await pages("tenant-viewer")).toEqual({ list: count, sorted: count, query: count });
    for (const id of ids) good(await admin.delete(`${path}/${id}`));
    expect(await deleted("tenant-admin")).toBe(9);
    expect(await deleted("tenant-viewer")).toBe(count);
  });
});
