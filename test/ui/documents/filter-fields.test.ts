import { expect, test } from "vitest";
import { parseDocumentWhere } from "#server/domains/documents/list/document-list.ts";
import { documentFields, otherDocumentFields } from "#ui/documents/filter-fields.ts";
import { completeFilter } from "#ui/kit/filter/use-filter.ts";
import { parseFilter } from "#ui/kit/filter/filter-language.ts";

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  string: ["Plan", '"a plan"', "a,b", "*", "null"],
  enum: ["ready", "ready,failed"],
  number: ["5", "1..5", "5..", "*", "null"],
  integer: ["5", "1..5", "*"],
  datetime: ["2026", "2026-11", "2026-11-22", "2026-01..2026-03"],
};

test.each(Object.entries({ ...documentFields, ...otherDocumentFields }))(
  "what is typed for %s is a filter that a list of documents takes",
  (name, { type }) => {
    const texts = (valuesOf[type] ?? []).flatMap((value) => [
      `${name}:${value}`,
      `-${name}:${value}`,
    ]);
    const exact = type === "datetime" ? `${name}>2026-01-01` : `${name}=5`;
    for (const text of [...texts, exact]) {
      const parsed = parseFilter(text, documentFields, otherDocumentFields);
      const where = "where" in parsed ? parsed.where : parsed.problem;
      expect(() => parseDocumentWhere(JSON.stringify(where)), text).not.toThrow();
    }
    expect(texts.length).toBeGreaterThan(3);
  },
);

test("a word alone is a filter", () => {
  const parsed = parseFilter("plan", documentFields, otherDocumentFields);
  const where = "where" in parsed ? JSON.stringify(parsed.where) : "";
  expect(where).toContain("classification.label");
  expect(where).not.toContain("jobId");
  expect(() => parseDocumentWhere(where)).not.toThrow();
});

test("fields that only records have are not completed", () => {
  const complete = (before: string) =>
    completeFilter(before, documentFields, otherDocumentFields)?.choices;
  expect(complete("created")).toEqual(["created_at"]);
  expect(complete("version")).toBeUndefined();
});
