import { describe, expect, test } from "vitest";
import { findValues } from "#server/text/analysis/find-values.ts";
import { summaryOf } from "./analyzed.ts";

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
