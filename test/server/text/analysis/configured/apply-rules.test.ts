import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyRules,
  type TextRule,
  findTableCell,
} from "#server/text/analysis/configured/apply-rules.ts";
import { findPattern, PatternBudget } from "#server/text/analysis/configured/find-pattern.ts";
import { scalarOf, type ScalarType } from "#server/text/analysis/configured/scalar-value.ts";

const invoice = [
  "Invoice INV-004711 of 3 May 2026",
  "Order no: A-17\tDue: 2 June 2026",
  "Payment terms: 30 days",
  "Item\tQuantity\tAmount",
  "Rope\t3\t£30.00",
  "Anchor\t1\t£1,250.00",
  "Total:\t\t£1,280.00",
  "",
  "Yours, the chandler",
].join("\n");
const pages = [
  { number: 1, text: "Cover page" },
  { number: 2, text: invoice },
];
const budget = () => ({ budget: new PatternBudget(50_000_000) });
const apply = (rules: readonly TextRule[], type: ScalarType = "string") =>
  applyRules(pages, rules, type, budget());

describe("rules find values with their place", () => {
  test.each<[string, TextRule, ScalarType, unknown]>([
    ["a pattern", { method: "pattern", pattern: "INV-[0-9]{6}" }, "string", "INV-004711"],
    [
      "a pattern after a text",
      { method: "pattern", pattern: "[0-9]+ [A-Z][a-z]+ [0-9]{4}", after: "due:" },
      "date",
      "2026-06-02",
    ],
    ["a label", { method: "label-value", labels: ["Payment terms"] }, "string", "30 days"],
    [
      "a cell of a row",
      { method: "table-cell", column: "amount", row: "anchor" },
      "money",
      "GBP 1250.00",
    ],
    ["a cell of a sum", { method: "table-cell", column: "Amount", row: "Total" }, "number", 1280],
    ["the first cell", { method: "table-cell", column: "Quantity" }, "integer", 3],
    ["a form", { method: "form", form: "date" }, "date", "2026-05-03"],
  ])("%s", (_name, rule, type, value) => {
    const found = apply([rule], type);
    expect(found?.value).toBe(value);
    expect(found?.page).toBe(2);
    const { start = 0, end = 0 } = found?.span ?? {};
    expect(invoice.slice(start, end)).toBe(found?.quote);
  });

  test("the first rule that finds a value of the type wins", () => {
    const rules: TextRule[] = [
      { method: "label-value", labels: ["Payment terms"] },
      { method: "table-cell", column: "Amount", row: "Rope" },
    ];
    expect(apply(rules, "money")).toMatchObject({ value: "GBP 30.00", method: "table-cell" });
  });

  test("a text of another type has a low confidence", () => {
    const found = apply([{ method: "label-value", labels: ["Payment terms"] }], "date");
    expect(found).toMatchObject({ value: "30 days", confidence: 0.3 });
  });

  test("nothing is found where nothing is", () => {
    expect(apply([{ method: "pattern", pattern: "XYZ-[0-9]+" }])).toBeUndefined();
    expect(apply([{ method: "table-cell", column: "Colour" }])).toBeUndefined();
  });
});

describe("patterns", () => {
  const find = (text: string, pattern: string) => {
    const found = findPattern(text, pattern, budget());
    return found === undefined ? undefined : text.slice(found.start, found.end);
  };

  test.each([
    ["leftmost, then longest", "aab ab", "a+b", "aab"],
    ["on a later line", "no\nno\nyes 12", "[0-9]+", "12"],
    ["at the start of a line", "x1\n1x", "^[0-9]", "1"],
    ["at its end", "1x\nx1", "[0-9]$", "1"],
    ["whole words", "category cat", "\\bcat\\b", "cat"],
  ])("match %s", (_name, text, pattern, match) => {
    expect(find(text, pattern)).toBe(match);
  });

  test("end within the budget, whatever the pattern", () => {
    const text = `${"a".repeat(400)}\n`.repeat(200);
    const small = new PatternBudget(100_000);
    expect(findPattern(text, "(?:a*){10}b|a+c", { budget: small })).toBeUndefined();
  });

  test("find what the regular expressions of the language find, for plain patterns", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "1", " "), maxLength: 30 });
    fc.assert(
      fc.property(letters, fc.constantFrom("a+", "[ab]+1", "b1?", "1 a"), (text, pattern) => {
        expect(find(text, pattern)).toBe(new RegExp(pattern).exec(text)?.[0]);
      }),
    );
  });
});

test("a table ends where its lines have no tabs", () => {
  const page = { number: 1, text: "A\tB\n\nx\ty" };
  expect(findTableCell([page], { column: "B", row: "x" })).toBeUndefined();
});

describe("scalars", () => {
  test.each<[string, ScalarType, unknown]>([
    ["1,234.50", "number", 1234.5],
    ["£1,234.50", "number", 1234.5],
    ["12.5", "integer", undefined],
    ["Yes", "boolean", true],
    ["no", "boolean", false],
    ["maybe", "boolean", undefined],
    ["3 May 2026", "date", "2026-05-03"],
    ["31 April 2026", "date", undefined],
    ["EUR 12", "money", "EUR 12.00"],
    ["12 USD", "money", "USD 12.00"],
    ["12", "money", undefined],
    ["", "string", undefined],
  ])("%s as %s", (text, type, value) => {
    expect(scalarOf(text, type)).toBe(value);
  });
});
