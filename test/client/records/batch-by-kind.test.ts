import { expect, test } from "vitest";
import { batchOfOneKind } from "#client/records/batch-by-kind.ts";
import { catalogError } from "#contract/errors.ts";
import type { BatchOperation } from "#contract/resources/batch.ts";

const noRoute = catalogError("E203", { details: "no such route" }, { status: 404 });

async function sent(items: readonly BatchOperation[], failure: unknown = noRoute) {
  const call = (name: string) => (input: { readonly body: unknown }) =>
    Promise.resolve([name, input.body]);
  const calls = {
    batchCreate: call("create"),
    batchUpdate: call("update"),
    batchDelete: call("delete"),
  };
  const input = { params: { objectType: "site" } };
  return await batchOfOneKind(calls as never, input, { items, atomic: true }, failure);
}

test.each<[BatchOperation, unknown]>([
  [{ op: "create", data: { a: 1 } }, ["create", { items: [{ data: { a: 1 } }], atomic: true }]],
  [
    { op: "update", id: "1", data: {}, version: 2 },
    ["update", { items: [{ id: "1", data: {}, version: 2 }], atomic: true }],
  ],
  [{ op: "delete", id: "1" }, ["delete", { ids: ["1"], atomic: true }]],
  [
    { op: "delete", id: "1", version: 3 },
    ["delete", { items: [{ id: "1", version: 3 }], atomic: true }],
  ],
])("%j goes to the route of its kind", async (item, request) => {
  expect(await sent([item])).toEqual(request);
});

test("several kinds, patches and other failures keep the first failure", async () => {
  const mixed: BatchOperation[] = [
    { op: "create", data: {} },
    { op: "delete", id: "1" },
  ];
  await expect(sent(mixed)).rejects.toBe(noRoute);
  await expect(sent([{ op: "patch", id: "1", data: {} }])).rejects.toBe(noRoute);
  const other = catalogError("E205", { details: "site" }, { status: 409 });
  await expect(sent([{ op: "create", data: {} }], other)).rejects.toBe(other);
});
