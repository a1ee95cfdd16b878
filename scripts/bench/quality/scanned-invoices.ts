import { join } from "node:path";
import { chromium } from "playwright-core";
import { applyRules } from "#server/text/analysis/configured/apply-rules.ts";
import { PatternBudget } from "#server/text/analysis/configured/find-pattern.ts";
import { scalarOf } from "#server/text/analysis/configured/scalar-value.ts";
import type { PageText } from "#server/text/extraction/extracted-document.ts";
import { findChromium } from "../../tools.ts";
import type { Group, Row } from "../figures.ts";
import { fields, known, sure, valuesOf, type Answer, type Field, type Values } from "./invoices.ts";
import { readPage } from "./recognition.ts";

const resolutions = [200, 300];
const invoicesOfLayout = 2;

const things = [
  ["Rope, 20 m", "3", "12.00", "36.00"],
  ["Anchor", "1", "48.00", "48.00"],
  ["Delivery", "1", "9.50", "9.50"],
];
const rows = (cells: readonly (readonly string[])[], tag = "td"): string =>
  cells.map((row) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`).join("");
const items = (headings: string, style = ""): string =>
  `<table class="items" style="${style}">${rows([headings.split(", ")], "th")}${rows(things)}`;
const english = "Description, Quantity, Price, Amount";
const lines = "border:1px solid #000";

/** Layouts of printed invoices, as HTML. Sets that decide have others. */
const layouts: Readonly<Record<string, (values: Values) => string>> = {
  "pairs at the right": (v) =>
    `<h1>Harbour Supplies Ltd</h1><div class="two"><div>Bill to<br>${v["customer"]}<br>` +
    `18 Quay Street<br>Millfield</div><table>${rows([
      ["Invoice number", v["number"] ?? ""],
      ["Invoice date", v["date"] ?? ""],
      ["Due date", v["due"] ?? ""],
    ])}</table></div>${items(english)}</table>` +
    `<table class="total">${rows([
      ["Subtotal", "93.50"],
      ["Amount due", v["total"] ?? ""],
    ])}</table>`,
  "headings in a ruled table": (v) =>
    `<h1>INVOICE</h1><p>Customer: ${v["customer"]}</p><table class="ruled">${rows(
      [["Invoice no.", "Invoice date", "Due date"]],
      "th",
    )}${rows([[v["number"] ?? "", v["date"] ?? "", v["due"] ?? ""]])}</table>` +
    `${items(english, lines)}</table><p class="right"><b>Total due: ${v["total"]}</b></p>`,
  "small labels above values": (v) =>
    `<h1>Quay Street Stores</h1><div class="grid">${[
      ["Invoice number", v["number"]],
      ["Invoice date", v["date"]],
      ["Payment due", v["due"]],
      ["Bill to", v["customer"]],
    ]
      .map(([label, value]) => `<div><small>${label}</small><br>${value}</div>`)
      .join("")}</div>${items(english)}</table>` +
    `<div class="right"><small>Total due</small><br><b>${v["total"]}</b></div>`,
  "German letter": (v) =>
    `<small>Hafenbedarf GmbH · Kaistraße 4 · 20459 Hamburg</small>` +
    `<p>Kunde: ${v["customer"]}<br>Marktplatz 3<br>24103 Kiel</p><h1>Rechnung</h1>` +
    `<p>Rechnungs-Nr.: ${v["number"]}<br>Rechnungsdatum: ${v["date"]}<br>` +
    `Fällig am: ${v["due"]}</p>${items("Bezeichnung, Menge, Preis, Betrag", lines)}` +
    `<tr><th colspan="3">Gesamtbetrag</th><th>${v["total"]}</th></tr></table>`,
  "two pairs in a line": (v) =>
    `<h1 class="right">Invoice</h1><div class="two"><div>Invoice #: ${v["number"]}</div>` +
    `<div>Invoice date: ${v["date"]}</div></div><div class="two"><div>Customer: ` +
    `${v["customer"]}</div><div>Due date: ${v["due"]}</div></div>${items(english)}` +
    `<tr><td></td><td></td><td>Amount due:</td><td>${v["total"]}</td></tr></table>`,
  "dark head and boxed total": (v) =>
    `<div class="dark">INVOICE</div><table class="ruled">${rows([
      ["Invoice #", v["number"] ?? "", "Customer", v["customer"] ?? ""],
      ["Invoice date", v["date"] ?? "", "Due date", v["due"] ?? ""],
    ])}</table>${items(english, "background:#f2f2f2")}</table>` +
    `<table class="ruled total">${rows([["Total due", v["total"] ?? ""]])}</table>`,
};

interface Scanned {
  readonly dpi: number;
  readonly values: Values;
  readonly page: PageText;
}

/** Fields of invoices that are pictures, next to one pattern for each field on the same text. */
export function scannedInvoiceFields(directory: string): Group {
  return {
    name: `fields of scanned invoices, ${Object.keys(layouts).length} layouts (goal 0.85)`,
    columns: ["precision", "recall", `wrong above ${sure}`],
    async measure() {
      const scanned = await scans(directory);
      return resolutions.flatMap((dpi) => {
        const pages = scanned.filter((each) => each.dpi === dpi);
        return [
          row(`one pattern for each field, ${dpi} dpi`, pages, ({ type, pattern }, { text }) => {
            const value = scalarOf(pattern.exec(text)?.[1] ?? "", type);
            return value === undefined ? undefined : { value, confidence: 1 };
          }),
          row(`svc, label-value rules, ${dpi} dpi`, pages, ({ type, labels }, page) =>
            applyRules([page], [{ method: "label-value", labels }], type, {
              budget: new PatternBudget(50_000_000),
              known,
            }),
          ),
        ];
      });
    },
  };
}

async function scans(directory: string): Promise<Scanned[]> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error("needs Chromium, to draw invoices");
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const scanned: Scanned[] = [];
  try {
    for (const dpi of resolutions) {
      const viewport = { width: 794, height: 1123 };
      const sheet = await browser.newPage({ viewport, deviceScaleFactor: dpi / 96 });
      for (const [at, [layout, html]] of Object.entries(layouts).entries()) {
        for (let of = 0; of < invoicesOfLayout; of += 1) {
          const seed = at * 7 + of * 3 + dpi / 100;
          const values = valuesOf(seed, layout.startsWith("German"));
          await sheet.setContent(pageOf(html(values)));
          const path = join(directory, `invoice-${dpi}-${at}-${of}`);
          await Bun.write(path, await sheet.screenshot({ type: "jpeg", quality: 75 }));
          const { page } = await readPage(path);
          scanned.push({ dpi, values, page });
        }
      }
      await sheet.close();
    }
  } finally {
    await browser.close();
  }
  return scanned;
}

function pageOf(html: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body{margin:0;padding:70px 75px;font:10.5pt/1.4 "Nimbus Sans","DejaVu Sans"}
    h1{font-size:1.5em} small{font-size:.75em} .two{display:flex;justify-content:space-between}
    .grid{display:grid;grid-template-columns:1fr 1fr 1fr 1fr;gap:1em;margin-bottom:2em}
    td,th{padding:.25em .8em;text-align:left} .items{width:100%;margin:2em 0}
    .ruled,.ruled td,.ruled th{border:1px solid #000;border-collapse:collapse}
    .right{text-align:right} .total{margin-left:auto}
    .dark{background:#234;color:#fff;padding:1em;font-size:1.5em;margin-bottom:1em}
    </style>${html}`;
}

function row(
  name: string,
  pages: readonly Scanned[],
  read: (field: Field, page: PageText) => Answer | undefined,
): Row {
  let [found, right, wanted, sureWrong] = [0, 0, 0, 0];
  for (const { page, values } of pages) {
    for (const [key, field] of Object.entries(fields)) {
      const answer = read(field, page);
      const expected = scalarOf(values[key] ?? "", field.type);
      wanted += 1;
      if (answer === undefined) continue;
      const isRight = answer.value === expected;
      found += 1;
      right += isRight ? 1 : 0;
      sureWrong += !isRight && answer.confidence > sure ? 1 : 0;
    }
  }
  const share = (of: number): string => (right / Math.max(1, of)).toFixed(3);
  return { name, figures: [share(found), share(wanted), String(sureWrong)] };
}
