import { applyRules, labelsOf } from "#server/text/analysis/configured/apply-rules.ts";
import { PatternBudget } from "#server/text/analysis/configured/find-pattern.ts";
import { scalarOf, type ScalarType } from "#server/text/analysis/configured/scalar-value.ts";
import type { Group, Row } from "../figures.ts";

const invoicesOfLayout = 40;
/** No value above this confidence should be wrong. */
export const sure = 0.8;

export interface Field {
  readonly type: ScalarType;
  readonly labels: readonly string[];
  /** The pattern of the baseline: the text after a label on the same line. */
  readonly pattern: RegExp;
}

export const fields: Readonly<Record<string, Field>> = {
  number: {
    type: "string",
    labels: ["Invoice no.", "Invoice #", "Invoice number", "Rechnungs-Nr."],
    pattern: /(?:Invoice (?:no\.?|#|number)|Rechnungs-Nr\.)[:\s]*([A-Z0-9][A-Z0-9/-]+)/i,
  },
  date: {
    type: "date",
    labels: ["Invoice date", "Rechnungsdatum"],
    pattern: /(?:Invoice date|Rechnungsdatum)[:\s]*(\S+(?: \w+ \d{4})?)/i,
  },
  due: {
    type: "date",
    labels: ["Due date", "Payment due", "Fällig am"],
    pattern: /(?:Due date|Payment due|Fällig am)[:\s]*(\S+(?: \w+ \d{4})?)/i,
  },
  total: {
    type: "money",
    labels: ["Total due", "Amount due", "Gesamtbetrag"],
    pattern: /(?:Total due|Amount due|Gesamtbetrag)[:\s.]*([^\n\t]+)/i,
  },
  customer: {
    type: "string",
    labels: ["Bill to", "Customer", "Kunde"],
    pattern: /(?:Bill to|Customer|Kunde)[:\s]*([^\n\t]+)/i,
  },
};

export type Values = Readonly<Record<string, string>>;
type Layout = (values: Values) => string;

const items = "Item\tQuantity\tAmount\nRope\t3\t12.00\nAnchor\t1\t48.00\nSubtotal\t\t60.00";

/** Ways in which invoices place labels and values. Sets that decide have others. */
const layouts: Readonly<Record<string, Layout>> = {
  "label: value": (v) =>
    `INVOICE\nInvoice no.: ${v["number"]}\nInvoice date: ${v["date"]}\nDue date: ${v["due"]}\n` +
    `Bill to: ${v["customer"]}\n\n${items}\nTotal due: ${v["total"]}`,
  "labels above values": (v) =>
    `Harbour Supplies Ltd\n\nInvoice number\tInvoice date\tDue date\n` +
    `${v["number"]}\t${v["date"]}\t${v["due"]}\n\nBill to\n${v["customer"]}\n\n${items}\n` +
    `Amount due\t\t${v["total"]}`,
  "label and cell": (v) =>
    `Invoice #\t${v["number"]}\nInvoice date\t${v["date"]}\nPayment due\t${v["due"]}\n` +
    `Customer\t${v["customer"]}\n${items}\nTotal due\t\t${v["total"]}`,
  "value on the next line": (v) =>
    `Invoice number\n${v["number"]}\nInvoice date\n${v["date"]}\nDue date\n${v["due"]}\n` +
    `Customer:\n${v["customer"]}\n${items}\nAmount due\n${v["total"]}`,
  "two pairs in a line": (v) =>
    `Invoice #: ${v["number"]}\tInvoice date: ${v["date"]}\n` +
    `Customer: ${v["customer"]}\tDue date: ${v["due"]}\n${items}\n\t\tAmount due: ${v["total"]}`,
  "German, with leader dots": (v) =>
    `Rechnung\nRechnungs-Nr. ${v["number"]}\nRechnungsdatum  ${v["date"]}\n` +
    `Fällig am ${v["due"]}\nKunde: ${v["customer"]}\n${items}\n` +
    `Gesamtbetrag ........ ${v["total"]}`,
  "a list in a letter": (v) =>
    `Dear reader,\n\nyour invoice is ready. Please pay before the due date.\n\n` +
    `  * Invoice no.: ${v["number"]}\n  * Invoice date: ${v["date"]}\n  * Due date: ${v["due"]}\n` +
    `  * Customer: ${v["customer"]}\n  * Total due (incl. VAT): ${v["total"]}\n`,
  "pairs that spaces divide": (v) =>
    `Invoice number ${v["number"]} Invoice date ${v["date"]} Due date ${v["due"]}\n` +
    `Customer ${v["customer"]}\n\n${items}\nTotal due ${v["total"]}`,
  "drawn tables and broken labels": (v) =>
    `| Invoice number | Invoice date | Due date |\n|---|---|---|\n` +
    `| ${v["number"]} | ${v["date"]} | ${v["due"]} |\n\nCustomer: ${v["customer"]}\n\n${items}\n` +
    `Total\ndue\n\n${v["total"]}`,
  "items that have the names of labels": (v) =>
    `Invoice no.: ${v["number"]}\nInvoice date: ${v["date"]}\nDue date: ${v["due"]}\n` +
    `Customer: ${v["customer"]}\n\nItem\tQuantity\tAmount\nCustomer survey\t2\t10.00\n` +
    `Customer\t1\t2.00\nRope\t3\t12.00\n\nAmount due: ${v["total"]}`,
};

const months = "January February March April May June July August September October".split(" ");
const customers = ["Northwind Traders", "Ada Marsh", "Bär & Söhne GmbH", "Quay Street School"];

/** Invoice values with varied forms of dates and amounts; `of` chooses them. */
export function valuesOf(of: number, isGerman: boolean): Values {
  const [day, month] = [13 + (of % 15), of % 10];
  const date = (plus: number): string =>
    isGerman
      ? `${day}.${String(month + 1).padStart(2, "0")}.${2026 + plus}`
      : `${day} ${months[month]} ${2026 + plus}`;
  const amount = (1_000 + of * 137.25).toFixed(2);
  const [whole = "", cents = ""] = amount.split(".");
  const thousands = (sign: string): string => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, sign);
  const english = [`£${thousands(",")}.${cents}`, `USD ${whole}.${cents}`, `${whole}.${cents} EUR`];
  const german = [`${thousands(".")},${cents} €`, `€ ${thousands(".")},${cents}`];
  return {
    number: [`INV-${4_700 + of}`, `2026/${100 + of}`, `RE-2026-${of}`][of % 3] ?? "",
    date: date(0),
    due: date(1),
    customer: customers[of % customers.length] ?? "",
    total: (isGerman ? german : english)[of % (isGerman ? 2 : 3)] ?? "",
  };
}

export interface Answer {
  readonly value: unknown;
  readonly confidence: number;
}

export const known = labelsOf(
  Object.values(fields).map(({ labels }) => ({ method: "label-value", labels })),
);

/** Fields of invoices whose layouts differ, next to one pattern for each field. */
export function invoiceFields(): Group {
  return {
    name: `fields of ${Object.keys(layouts).length} layouts of invoices`,
    columns: ["precision", "recall", `wrong above ${sure}`],
    measure: async () => [
      row("one pattern for each field", ({ type, pattern }, text) => {
        const written = pattern.exec(text)?.[1];
        const value = written === undefined ? undefined : scalarOf(written, type);
        return value === undefined ? undefined : { value, confidence: 1 };
      }),
      row("svc, label-value rules", ({ type, labels }, text) =>
        applyRules([{ number: 1, text }], [{ method: "label-value", labels }], type, {
          budget: new PatternBudget(50_000_000),
          known,
        }),
      ),
    ],
  };
}

function row(name: string, read: (field: Field, text: string) => Answer | undefined): Row {
  let [found, right, wanted, sureWrong] = [0, 0, 0, 0];
  for (const [layout, write] of Object.entries(layouts)) {
    for (let of = 0; of < invoicesOfLayout; of += 1) {
      const values = valuesOf(of, layout.startsWith("German"));
      const text = write(values);
      for (const [key, field] of Object.entries(fields)) {
        const answer = read(field, text);
        wanted += 1;
        if (answer === undefined) continue;
        const isRight = answer.value === scalarOf(values[key] ?? "", field.type);
        found += 1;
        right += isRight ? 1 : 0;
        sureWrong += !isRight && answer.confidence > sure ? 1 : 0;
      }
    }
  }
  const share = (of: number): string => (right / Math.max(1, of)).toFixed(3);
  return { name, figures: [share(found), share(wanted), String(sureWrong)] };
}
