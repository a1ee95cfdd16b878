import { describe, expect, test } from "vitest";
import { analyzeFields } from "#server/text/analysis/analyze-fields.ts";
import { fieldName } from "#server/text/analysis/labelled-values.ts";
import { summaryOf, analyze } from "./analyzed.ts";

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
