import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzeFields } from "#server/text/analysis/analyze-fields.ts";
import { findValues } from "#server/text/analysis/find-values.ts";
import { analyze } from "./analyzed.ts";

test("any text: spans are verbatim, and give the same value alone", () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      "Applicant: ",
      "Fee\t",
      "\n",
      "£1,200",
      "PA-2026-0042",
      "14 March 2026",
      "a.b@c.example",
      "01632 960142",
      "18 Quay Street, Northwind NW4 1QS",
      "Jane Holt",
      "🏛",
    ),
  );
  const page = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(page, { maxLength: 3 }), (texts) => {
      const pages = texts.map((text, index) => ({ number: index + 1, text }));
      const fields = Object.values(analyzeFields(pages));
      expect(fields.length).toBeLessThanOrEqual(64);
      for (const { type, value, page: number, span, confidence } of fields) {
        const { text } = pages[number - 1]!;
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThan(span.start);
        expect(span.end).toBeLessThanOrEqual(text.length);
        const source = text.slice(span.start, span.end);
        expect(source.trim()).toBe(source);
        expect(confidence > 0 && confidence <= 1).toBe(true);
        if (["text", "person", "organisation", "address"].includes(type))
          expect(value).toBe(source);
        else if (type === "number") expect(value).toBe(Number(source.replaceAll(",", "")));
        else expect(findValues(source).map((each) => each.value)).toContain(value);
      }
    }),
  );
});

test.each([
  ["a", 100_000],
  ["1", 100_000],
  ["A a ", 25_000],
  ["0 12 ", 20_000],
  ["a@", 50_000],
  ["1,111", 20_000],
  ["1 Aa Aa Aa Aa ", 7_000],
  ["£", 100_000],
])("hostile text gives at most 64 fields: %j × %i", (text, count) => {
  expect(Object.keys(analyze(text.repeat(count))).length).toBeLessThanOrEqual(64);
});
