import { expect, test } from "vitest";
import {
  batchAnswer,
  batchCreation,
  batchDeletion,
  batchOfCreation,
  batchOfDeletion,
  batchOfOperations,
  batchOfUpdate,
  batchOperations,
  batchUpdate,
} from "#contract/resources/batch.ts";
import { schemaFaults } from "#contract/schema-faults.ts";

const id = "6f1ed002-ab59-4c1e-8d10-000000000001";
const item = { id, data: {}, version: 1 };

test.each([
  [[{ a: 1 }], [{ a: 1 }], false, ["0"]],
  [{ items: [{ a: 1 }], atomic: true }, [{ a: 1 }], true, ["items", "0"]],
  [{ a: 1 }, [{ a: 1 }], false, []],
  [{ items: "text" }, [{ items: "text" }], false, []],
])("%j creates %j", (body, items, isAtomic, place) => {
  const batch = batchOfCreation(batchCreation.parse(body));
  expect(batch).toMatchObject({ items, isAtomic, namesRecords: false });
  expect(batch.placeOf(0).map(String)).toEqual(place);
});

test("updates and deletions are normalised", () => {
  expect(batchOfUpdate(batchUpdate.parse(item)).items).toEqual([item]);
  expect(batchOfUpdate(batchUpdate.parse({ items: [item] })).placeOf(2)).toEqual(["items", 2]);
  for (const body of [[id], { ids: [id] }, { items: [{ id }] }, { id }]) {
    expect(batchOfDeletion(batchDeletion.parse(body)).items).toEqual([{ id }]);
  }
  const operations = batchOperations.parse({ items: [{ op: "delete", id }], atomic: true });
  expect(batchOfOperations(operations)).toMatchObject({ isAtomic: true, namesRecords: true });
});

test.each([
  [batchCreation, [], "must have at least 1 item"],
  [batchCreation, { items: [{}], note: 1 }, "is not known here"],
  [batchUpdate, [{ id, data: {} }], "is required"],
  [batchDeletion, { ids: ["x"] }, "must be a UUID"],
  [batchOperations, { items: [{ op: "odd" }] }, "must be"],
  [batchOperations, { items: Array(1_001).fill({ op: "delete", id }) }, "at most 1,000 items"],
] as const)("case %#: a wrong batch is refused", (schema, body, detail) => {
  const { error } = schema.safeParse(body);
  const details = error === undefined ? [] : schemaFaults(error).map((fault) => fault.detail);
  expect(details.join("; ")).toContain(detail);
});

test("an answer has an outcome for each item", () => {
  const answer = { results: [{ index: 0, status: 200 }], succeeded: 1, failed: 0 };
  expect(batchAnswer.parse(answer)).toEqual(answer);
});
