import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnalyzedField, analyzeFields } from "#server/text/analysis/analyze-fields.ts";
import { findDates } from "#server/text/analysis/find-dates.ts";
import { fieldName } from "#server/text/analysis/labelled-values.ts";
import { findValues } from "#server/text/analysis/find-values.ts";

const analyze = (text: string): Record<string, AnalyzedField> =>
  analyzeFields([{ number: 1, text }]);

/** Name, type and value of each field, without its place. */
function summaryOf(text: string): Record<string, [string, string | number]> {
  const entries = Object.entries(analyze(text));
  return Object.fromEntries(entries.map(([name, { type, value }]) => [name, [type, value]]));
}

describe("labelled values", () => {
  test("have the type of their form and the name of their label", () => {
    const form = [
      "Application reference: PA-2026-0042",
      "Applicant: Harbour Lofts Ltd",
      "Agent: Elin Marsh, Marsh & Field Architects",
      "Site address\t18 Quay Street, Northwind NW4 1QS",
      "E-mail: Planning@Marsh.example",
      "Tel.: 01632 960142",
      "Decision due: 18 December 2026 (extended)",
      "Application fee: £7,488.00",
      "Number of flats: 12",
      "Present use: Empty since March",
    ].join("\n");
    expect(summaryOf(form)).toEqual({
      reference: ["reference", "PA-2026-0042"],
      applicant: ["organisation", "Harbour Lofts Ltd"],
      agent: ["person", "Elin Marsh"],
      siteAddress: ["address", "18 Quay Street, Northwind NW4 1QS"],
      email: ["email", "planning@marsh.example"],
      phone: ["phone", "01632960142"],
      decisionDue: ["date", "2026-12-18"],
      applicationFee: ["money", "GBP 7488.00"],
      numberOfFlats: ["number", 12],
      presentUse: ["text", "Empty since March"],
      postcode: ["postcode", "NW4 1QS"],
    });
  });

  test("have page, span, method and confidence", () => {
    const pages = [
      { number: 1, text: "Nothing here." },
      { number: 2, text: "Chair: Ruth Calloway\nFee paid: £293" },
    ];
    expect(analyzeFields(pages)).toEqual({
      chair: {
        type: "person",
        value: "Ruth Calloway",
        confidence: 0.85,
        page: 2,
        span: { start: 7, end: 20 },
        method: "label",
      },
      feePaid: {
        type: "money",
        value: "GBP 293.00",
        confidence: 0.95,
        page: 2,
        span: { start: 31, end: 35 },
        method: "label",
      },
    });
  });

  test("sentences, headings and rows of wider tables have no label", () => {
    expect(
      summaryOf(
        "Section 1: The applicant\nNorthwind Council: minutes\nBand\tFee\tDays\n" +
          "The reasons that the committee gave were these: light and noise\nSee: ",
      ),
    ).toEqual({});
  });

  test.each(["", "b"])("do not end within a character at the limit: %j", (shift) => {
    const before = `${"a\n".repeat(99_950)}${shift}\nRemark: `;
    const { remark } = analyze(before + "😀".repeat(100));
    expect(remark?.value).toMatch(/^(?:😀)+$/u);
  });

  test("a repeated name gets a number, up to three different values", () => {
    const text = ["Ann Lee", "Bo Kay", "Ann Lee", "Cy Poe", "Di Roe"].map(
      (name) => `Contact: ${name}`,
    );
    expect(summaryOf(text.join("\n"))).toEqual({
      contact: ["person", "Ann Lee"],
      contact2: ["person", "Bo Kay"],
      contact3: ["person", "Cy Poe"],
    });
  });

  test.each([
    ["Date of decision", "dateOfDecision"],
    ["Our Ref.", "reference"],
    ["E-mail", "email"],
    ["Applicant's name", "applicantsName"],
    ["Fläche (m²)", "flächeM²"],
    ["Constructor", "constructor"],
  ])("%s is called %s", (label, name) => {
    expect(fieldName(label)).toBe(name);
  });
});

describe("values without a label", () => {
  test("are found by their form, once each, outside labelled values", () => {
    const text =
      "Site address: 18 Quay Street, Northwind\n\nThe fee of £293 for PA-2026-0042 was paid on " +
      "14 March 2026 by card. Ask c.holm@council.example or +44 1632 960120 about PA-2026-0042.";
    expect(summaryOf(text)).toEqual({
      siteAddress: ["address", "18 Quay Street, Northwind"],
      amount: ["money", "GBP 293.00"],
      reference: ["reference", "PA-2026-0042"],
      date: ["date", "2026-03-14"],
      email: ["email", "c.holm@council.example"],
      phone: ["phone", "+441632960120"],
    });
  });

  test("within a labelled value are skipped, except its postcode", () => {
    expect(summaryOf("Site address: Flat 2, 18 Quay Street, Northwind NW4 1QS")).toEqual({
      siteAddress: ["address", "Flat 2, 18 Quay Street, Northwind NW4 1QS"],
      postcode: ["postcode", "NW4 1QS"],
    });
  });

  test("are found within labelled text without another type", () => {
    expect(summaryOf("Contact: Planning team, planning@council.example, 01632 960120")).toEqual({
      contact: ["text", "Planning team, planning@council.example, 01632 960120"],
      email: ["email", "planning@council.example"],
      phone: ["phone", "01632960120"],
    });
  });

  const valuesOf = (text: string): unknown[] =>
    findValues(text).map(({ type, value }) => [type, value]);

  test.each([
    [
      "£3.5 million and $20k",
      [
        ["money", "GBP 3500000.00"],
        ["money", "USD 20000.00"],
      ],
    ],
    [
      "1,250.50 euros, EUR 7, 12 pounds",
      [
        ["money", "EUR 1250.50"],
        ["money", "EUR 7.00"],
        ["money", "GBP 12.00"],
      ],
    ],
    [
      "24/01234/FUL and LIC-2026-0007",
      [
        ["reference", "24/01234/FUL"],
        ["reference", "LIC-2026-0007"],
      ],
    ],
    ["SW1A1AA", [["postcode", "SW1A 1AA"]]],
    [
      "4 Station Road, Northwind NW1 1AA",
      [
        ["address", "4 Station Road, Northwind NW1 1AA"],
        ["postcode", "NW1 1AA"],
      ],
    ],
    ["(01632) 960 120", [["phone", "01632960120"]]],
    ["version 1.2.3, 12 apples, a@b, ROOM-12, 99 Red Balloons", []],
  ])("%s", (text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });
});

describe("dates", () => {
  test.each([
    ["2026-03-14", "2026-03-14"],
    ["14 March 2026", "2026-03-14"],
    ["the 1st of Feb., 2026", "2026-02-01"],
    ["March 14th, 2026", "2026-03-14"],
    ["Sept 3, 2026", "2026-09-03"],
    ["14/03/2026", "2026-03-14"],
    ["14.03.2026", "2026-03-14"],
    ["03/14/2026", "2026-03-14"],
  ])("%s", (text, value) => {
    expect(findDates(text).map((each) => each.value)).toEqual([value]);
  });

  test("a day that may be a month counts as the day, with less confidence", () => {
    expect(findDates("03/04/2026")).toEqual([
      { start: 0, end: 10, value: "2026-04-03", confidence: 0.6 },
    ]);
    expect(findDates("04/04/2026")[0]?.confidence).toBe(0.9);
  });

  test.each(["31 April 2026", "2026-02-30", "29/02/2025", "14 March 26", "1/2/3/2026", "May 2026"])(
    "%s is no date",
    (text) => {
      expect(findDates(text)).toEqual([]);
    },
  );

  test("a date in any form is read back", () => {
    const date = fc.date({
      min: new Date("1800-01-01"),
      max: new Date("2199-12-31"),
      noInvalidDate: true,
    });
    const form = fc.constantFrom<Intl.DateTimeFormatOptions>(
      { day: "numeric", month: "long", year: "numeric" },
      { day: "2-digit", month: "short", year: "numeric" },
      { day: "2-digit", month: "2-digit", year: "numeric" },
    );
    fc.assert(
      fc.property(date, form, (value, options) => {
        const written = value.toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
        const found = findDates(`on ${written}, at noon`);
        expect(found.map((each) => each.value)).toEqual([value.toISOString().slice(0, 10)]);
        expect(`on ${written}, at noon`.slice(found[0]!.start, found[0]!.end)).toBe(written);
      }),
    );
  });
});

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
