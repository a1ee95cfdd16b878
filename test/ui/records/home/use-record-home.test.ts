import { expect, test } from "vitest";
import { workTypes } from "#ui/records/home/use-record-home.ts";

test("types with due dates and states come first, and configuration is left out", () => {
  const type = (slug: string, recordCount: number, properties = {}) => ({
    id: slug,
    name: slug,
    slug,
    recordCount,
    properties,
  });
  const types = [
    type("empty-case", 0, { due: { type: "date", meaning: "due" } }),
    type("note", 900),
    type("vertical-product-config", 3),
    type("licence", 5, { status: { type: "enum", enum: ["open"] } }),
    type("application", 2, { due: { type: "date", meaning: "due" } }),
  ];
  expect(workTypes(types).map(({ slug }) => slug)).toEqual([
    "application",
    "licence",
    "note",
    "empty-case",
  ]);
});
