import { expect, test } from "vitest";
import { partsOf } from "#commands/geo/report/fields.ts";

const parts = (options: object) => partsOf({} as never, options as never);

test("a source is a type with a property, or a dataset", async () => {
  expect(Object.keys(await parts({ dataset: "wards", title: "T" }))).toEqual(["title", "source"]);
  await expect(parts({ type: "site" })).rejects.toMatchObject({ exitCode: 2 });
});

test("figures are counted where a property is added or averaged", async () => {
  expect((await parts({ sum: "size", average: "age" })).metrics).toEqual({
    count: { op: "count" },
    sum: { op: "sum", field: "size" },
    average: { op: "avg", field: "age" },
  });
  expect(await parts({})).toEqual({});
});
