import { expect, test } from "vitest";
import { rulesByExample } from "#server/text/analysis/configured/rules-by-example.ts";
import type { ScalarType } from "#server/text/analysis/configured/scalar-value.ts";

const first = [
  "Harbour Supplies",
  "Invoice no: INV-004711\tDate: 3 May 2026",
  "Item\tAmount",
  "Rope\t£30.00",
  "Total due\t£30.00",
].join("\n");
const second = [
  "Invoice no: INV-004802\tDate: 1 June 2026",
  "Item\tAmount",
  "Anchor\t£1,250.00",
  "Rope\t£30.00",
  "Total due\t£1,280.00",
].join("\n");
const other = ["Rechnung Nr. INV-000017", "Datum: 4.6.2026", "Betrag: 12,50 EUR"].join("\n");

/** The rules of values that are marked in texts, and what they find. */
function learnt(type: ScalarType, ...marked: readonly (readonly [text: string, value: string])[]) {
  const { rules, found } = rulesByExample(
    marked.map(([text, value]) => ({ pages: [{ number: 1, text }], value })),
    type,
  );
  return { rules, values: found.map((each) => each?.value) };
}

test("a label that all examples have is the rule", () => {
  const { rules, values } = learnt("date", [first, "3 May 2026"], [second, "1 June 2026"]);
  expect(rules).toEqual([{ method: "label-value", labels: ["Date"] }]);
  expect(values).toEqual(["2026-05-03", "2026-06-01"]);
});

test("labels of several layouts are one rule", () => {
  const { rules, values } = learnt("money", [second, "£1,280.00"], [other, "12,50 EUR"]);
  expect(rules).toEqual([{ method: "label-value", labels: ["Total due", "Betrag"] }]);
  expect(values).toEqual(["GBP 1280.00", "EUR 12.50"]);
});

test("a label whose value is another one in some example is no rule", () => {
  // "Rope" is before £30.00 in both, but that is the total of the first one only.
  const { rules } = learnt("money", [first, "£30.00"], [second, "£1,280.00"]);
  expect(rules).toEqual([{ method: "label-value", labels: ["Total due"] }]);
});

test("values of one shape without a shared label have a pattern", () => {
  const plain = "Yours, with reference INV-000099 in mind";
  const { rules, values } = learnt("string", [plain, "INV-000099"], [other, "INV-000017"]);
  expect(rules.at(-1)).toEqual({ method: "pattern", pattern: "INV-[0-9]{6}" });
  expect(values).toEqual(["INV-000099", "INV-000017"]);
});

test("a value that a document does not have gives no rule", () => {
  expect(learnt("string", [first, "nowhere"])).toEqual({ rules: [], values: [undefined] });
});

test("a cell is found by the heading of its column and the label of its row", () => {
  const text = "Item Rope Amount 30";
  const tables = [
    {
      header: 1,
      rows: [
        [
          [0, 4],
          [10, 16],
        ],
        [
          [5, 9],
          [17, 19],
        ],
      ],
    },
  ] as const;
  const { rules, found } = rulesByExample(
    [{ pages: [{ number: 1, text, tables }], value: "30" }],
    "integer",
  );
  expect(rules).toContainEqual({ method: "table-cell", column: "Amount", row: "Rope" });
  expect(found[0]?.value).toBe(30);
});
