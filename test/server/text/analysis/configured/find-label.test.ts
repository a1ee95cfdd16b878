import { describe, expect, test } from "vitest";
import { applyRules, labelsOf } from "#server/text/analysis/configured/apply-rules.ts";
import { findLabels, plainLabel } from "#server/text/analysis/configured/find-label.ts";
import { PatternBudget } from "#server/text/analysis/configured/find-pattern.ts";

const labels = ["Invoice no.", "Invoice #", "Invoice date", "Due date", "Customer", "Total"];
const rules = labels.map((label) => ({ method: "label-value" as const, labels: [label] }));
const known = labelsOf(rules);

function valuesOf(text: string, label: string): string[] {
  const found = findLabels(text, [label], { known });
  return found.flatMap(({ start, end, confidence }) =>
    confidence > 0 ? [text.slice(start, end)] : [],
  );
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
    [
      "below in its column of a table that is drawn",
      "│ Invoice no. │ Due date │\n├───┼───┤\n│ INV-7 │ 3 May 2026 │",
      "Due date",
      "3 May 2026",
    ],
    ["in a list", "  * Invoice no.: INV-7\n  * Customer: Ada Marsh", "Customer", "Ada Marsh"],
    ["after an explanation", "Total (incl. VAT): £12.50", "Total", "£12.50"],
    ["after a broken label", "Invoice\ndate\n\n3 May 2026", "Invoice date", "3 May 2026"],
    ["after a code", "Invoice no. RE 4711", "Invoice no.", "RE 4711"],
    ["as a name after a space", "Customer Ada Marsh", "Customer", "Ada Marsh"],
    [
      "between pairs that only spaces divide",
      "Invoice no. INV-7 Due date 3 May 2026 Total: £5",
      "Due date",
      "3 May 2026",
    ],
    [
      "above an address",
      "Customer\tFrom\nAda Marsh\tA Ltd\n2 Rd\t3 Rd\nX 1\tY 2",
      "Customer",
      "Ada Marsh",
    ],
    ["below another label", "Invoice no.\tDue date\nINV-7\tat once", "Due date", "at once"],
    ["with its month as a word", "Due date\t5. Mai 2026", "Due date", "5. Mai 2026"],
    ["with a currency in its own cell", "Total\tCHF\t1'234.50", "Total", "CHF\t1'234.50"],
    ["after a currency in the label's cell", "Total EUR\t12,50\n", "Total", "EUR\t12,50"],
    [
      "in a block after all labels",
      "Customer\tShip to:\n\nAda Marsh\n8 Road",
      "Customer",
      "Ada Marsh",
    ],
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
    ["another label after a space", "Customer Invoice date", "Customer"],
    ["another label", "Customer:\nInvoice no.:", "Customer"],
    ["the label of another block", "Customer:\tShip to\n", "Customer"],
    ["the word of a label without its sign", "INVOICE\n\nBill of 5 May", "Invoice #"],
    ["words for a number", "Invoice no.\nPO number\n", "Invoice no."],
    ["a heading of the table below", "Customer\n\nItem\tUnits\tTotal\nRope\t2\t£7", "Customer"],
  ])("is not %s", (_what, text, label) => {
    expect(valuesOf(text, label)).toEqual([]);
  });

  test("a longer label below a label is a doubtful value of it", () => {
    const below = (text: string) => findLabels(`Customer\n\n${text}`, ["Customer"])[0]?.confidence;
    expect([below("Customer reference"), below("Brightwater Clinic")]).toEqual([0.75, 0.82]);
  });

  test("in a row that may be two labels or a label and its value has little confidence", () => {
    const found = findLabels("Customer\tNorthwind\nOrder\tA-17", ["Customer"]);
    for (const { confidence } of found) expect(confidence).toBeLessThan(0.8);
  });

  test("in a row of a table of items is a value of its column", () => {
    const text = "Item\tUnits\tTotal\nCustomer\t3\t£5\nRope\t2\t£7\n\nOrder A-17";
    for (const label of ["Customer", "Total"]) {
      const [found] = findLabels(text, [label], { known });
      expect(found?.confidence).toBeLessThan(0.5);
    }
  });

  test.each([
    ["money", "Total USD 1,250.00", "USD 1250.00"],
    ["date", "Invoice date May 3, 2026", "2026-05-03"],
    ["money", "Total cost of delivery", undefined],
    ["date", "Due date of the supplier, 3 May 2026", undefined],
  ] as const)("of the type %s is read after a space: %s", (type, text, value) => {
    const budget = new PatternBudget(1_000_000);
    const found = applyRules([{ number: 1, text }], rules, type, { budget, known });
    const isSure = (found?.confidence ?? 0) >= 0.75;
    expect({ isSure, value: isSure ? found?.value : undefined }).toEqual({
      isSure: value !== undefined,
      value,
    });
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

test("a label is found in a scan that has lost its accents, but not with another letter", () => {
  const valueOf = (text: string): string | undefined => {
    const [found] = findLabels(text, ["Fällig am", "Hospitalier d\u2019été"]);
    return found === undefined ? undefined : text.slice(found.start, found.end);
  };
  expect(valueOf("Fallig am: 1.05.2026")).toBe("1.05.2026");
  expect(valueOf("FÄLLIG AM: 1.05.2026")).toBe("1.05.2026");
  expect(valueOf("Hospitalier d'ete: 4")).toBe("4");
  expect(valueOf("Follig am: 1.05.2026")).toBeUndefined();
});

describe("the value of a label in the columns of a table", () => {
  const text =
    "Customer\tSite\tNumber\t17\nAda Marsh\tQuay\t\t\n\t\tOrder\t18\n8 Road\t2 Lane\t\t\nEnd";
  const rows = text.split("\n").slice(0, 4);
  let at = 0;
  const table = {
    header: 0,
    rows: rows.map((line) => {
      const cells = line.split("\t").map((cell): [number, number] => {
        const start = at;
        at += cell.length + 1;
        return [start, start + cell.length];
      });
      return cells;
    }),
  };
  const valueOf = (label: string): string | undefined => {
    const [found] = findLabels(text, [label], { tables: [table] });
    return found === undefined ? undefined : text.slice(found.start, found.end);
  };

  test("is below it in a block next to another one, whatever other cells the rows have", () => {
    expect(valueOf("Customer")).toBe("Ada Marsh");
  });

  test("is next to it where only the pairs have cells", () => {
    expect(valueOf("Number")).toBe("17");
    expect(valueOf("Order")).toBe("18");
  });
});

test("a value in a stack of values after a stack of labels has little confidence", () => {
  const [found] = findLabels("Net\nTotal\n£5.00\n£6.00", ["Total"]);
  expect(found?.confidence).toBeLessThan(0.8);
  const [alone] = findLabels("Net: £5.00\nTotal\n£6.00", ["Total"]);
  expect(alone?.confidence).toBeGreaterThan(0.8);
});

test("a label is found with what a recognition reads for letters that it lacks", () => {
  for (const text of ["Factura n.%: 17", "Factura n.2: 17", "Factura n.º: 17"]) {
    expect(findLabels(text, ["Factura n.º"])).toHaveLength(1);
  }
  expect(findLabels("Fecha de emisi6n: 5/5/2026", ["Fecha de emisión"])).toHaveLength(1);
  expect(findLabels("Fecha de emissn: 5/5/2026", ["Fecha de emisión"])).toEqual([]);
});
