import { expect, test } from "vitest";
import { foldsOf } from "#server/domains/records/store/text-order.ts";

test("texts that the database folds itself need no form", () => {
  expect(foldsOf('{"name":"Zar","n":1}', "sqlite")).toBeNull();
});

test("a text with marks has its form under its own name, or its bytes on SQLite", () => {
  const data = JSON.stringify({ name: "Äpfel", inner: { tags: ["Äpfel"] } });
  expect(JSON.parse(foldsOf(data, "postgresql") ?? "")).toEqual({ Äpfel: "apfel" });
  expect(JSON.parse(foldsOf(data, "sqlite") ?? "")).toEqual({ xC3847066656C: "apfel" });
});
