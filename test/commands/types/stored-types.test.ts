import { expect, test } from "vitest";
import { storedTypes } from "#commands/types/stored-types.ts";
import { clientOf, serve } from "../../client/servers.ts";

function typesFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = `T${String(first + index).padStart(4, "0")}`;
    return { id: name, name, slug: name.toLowerCase(), properties: {} };
  });
}

test("types of a deployment without cursors are read to the last page", async () => {
  const server = serve(({ path }) => {
    const page = Number(new URL(path, "http://localhost").searchParams.get("page"));
    return page === 1
      ? Response.json({ items: typesFrom(0, 500), page: 1, hasNextPage: true })
      : Response.json({ items: typesFrom(500, 3), page: 2, hasNextPage: false });
  });
  const { types, atomicBatch } = await storedTypes(clientOf(server), new AbortController().signal);
  expect(types.map(({ slug }) => slug)).toHaveLength(503);
  expect(atomicBatch).toBe(false);
});

test("a workspace with too many types is refused", async () => {
  const server = serve(({ path }) => {
    const page = Number(new URL(path, "http://localhost").searchParams.get("page"));
    return Response.json({ items: typesFrom(page * 500, 500), page, hasNextPage: true });
  });
  const reading = storedTypes(clientOf(server), new AbortController().signal);
  await expect(reading).rejects.toMatchObject({ code: "E203" });
  expect(server.seen).toHaveLength(21);
});

test.each([
  [{ tenant_id: "0198f0a0-9999-7000-8000-000000000009" }, "belongs to another workspace"],
  [{ tenant_id: "northwind" }, "has a malformed workspace marker"],
])("a type with %o is refused", async (marker, words) => {
  const items = typesFrom(0, 2).map((type, index) => (index === 1 ? { ...type, ...marker } : type));
  const server = serve(() => Response.json({ items, hasNextPage: false }));
  const reading = storedTypes(clientOf(server), new AbortController().signal);
  await expect(reading).rejects.toMatchObject({
    code: "E203",
    message: expect.stringContaining(`t0001 ${words}`),
  });
});
