import { describe, expect, test } from "vitest";
import { applyRules, labelsOf } from "#server/text/analysis/configured/apply-rules.ts";
import { findLabels, plainLabel } from "#server/text/analysis/configured/find-label.ts";
import { PatternBudget } from "#server/text/analysis/configured/find-pattern.ts";

const labels = ["Invoice no.", "Invoice #", "Invoice date", "Due date", "Customer", "Total"];
const rules = labels.map((label) => ({ method: "label-value" as const, labels: [label] }));
const known = labelsOf(rules);

function valuesOf(text: string, label: string): string[] {
  return findLabels(text, [label], known).map(({ start, end }) => text.slice(start, end));
}

describe("the value of a label", () => {
  test.each([
    ["after a colon", "Invoice no.: INV-7", "Invoice no.", "INV-7"],
    ["after the label without its point", "INVOICE  NO: INV-7", "Invoice no.", "INV-7"],
    ["after #", "Invoice # 4711", "Invoice #", "4711"],
    ["after a space, when it has a digit", "Invoice no. INV-7", "Invoice no.", "INV-7"],
    ["after leader dots", "Total ....... 12,50 €", "Total", "12,50 €"],
    ["in the next cell", "Customer\tAda Marsh\n\nItems", "Customer", "Ada Marsh"],
    ["on the next line", "Customer\nAda Marsh\nItems", "Customer", "Ada Marsh"],
    ["below in its column", "Invoice no.\tInvoice date\nINV-7\t3 May 2026", "Invoice no.", "INV-7"],
    ["below another label", "Invoice no.\tDue date\nINV-7\tat once", "Due date", "at once"],
    [
      "in the second pair of a line",
      "Customer: Ada\tDue date: 3 May 2026",
      "Due date",
      "3 May 2026",
    ],
  ])("is found %s", (_where, text, label, value) => {
    expect(valuesOf(text, label)[0]).toBe(value);
  });

  test.each([
    ["a longer word", "Totally 12", "Total"],
    ["words without a colon", "Invoice date of the supplier", "Invoice date"],
    ["another label", "Customer:\nInvoice no.:", "Customer"],
  ])("is not %s", (_what, text, label) => {
    expect(valuesOf(text, label)).toEqual([]);
  });

  test("in a row that may be two labels or a label and its value has little confidence", () => {
    const found = findLabels("Customer\tNorthwind\nOrder\tA-17", ["Customer"]);
    for (const { confidence } of found) expect(confidence).toBeLessThan(0.8);
  });

  test("has the type of its field, and ends before further words", () => {
    const text = "Total\tas agreed\nTotal: 1.234,56 € incl. VAT";
    const budget = new PatternBudget(1_000_000);
    const pages = [{ number: 1, text }];
    const found = applyRules(pages, rules.slice(-1), "money", { budget, known });
    expect(found).toMatchObject({ value: "EUR 1234.56", quote: "1.234,56 €", confidence: 0.92 });
  });
});

test("a label is compared without its case, points and signs", () => {
  expect(plainLabel(" Invoice  No.: ")).toBe("invoice no");
  expect(plainLabel("Invoice #")).toBe("invoice");
});
