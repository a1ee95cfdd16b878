import { describe, expect, test } from "vitest";
import { certaintyOf } from "#server/text/analysis/configured/certainty.ts";
import type { ScalarType } from "#server/text/analysis/configured/scalar-value.ts";

interface Case {
  readonly type?: ScalarType;
  readonly labels?: readonly string[];
  /** The unsure parts of a page that is a picture; `null` for another page. */
  readonly unsure?: readonly number[] | null;
}

/** The confidence of a value on a page, of at most 0.92. */
function sureOf(text: string, value: string, { type = "string", labels = [], ...rest }: Case) {
  const { unsure = [] } = rest;
  const start = text.indexOf(value);
  const page = unsure === null ? { text } : { text, unsure };
  return certaintyOf(page, { span: { start, end: start + value.length }, type, labels }, 0.92);
}

describe("the confidence of a value of a picture", () => {
  test.each<[string, string, string, Case]>([
    ["has a word that is unsure", "No. INV-7", "INV-7", { unsure: [4, 5] }],
    ["has a letter between digits", "No. 4O17", "4O17", {}],
    ["begins with a small letter", "Customer rsh", "rsh", {}],
    ["goes on in the next cell", "Customer Oak Co\tuncil", "Oak Co", {}],
    ["may have lost its accents", "Fallig am\nKunde Moller", "Moller", { labels: ["Fällig am"] }],
    ["is a company whose language has accents", "Kunde Sohne GmbH", "Sohne GmbH", {}],
    ["has a digit in a word", "Kunde S6hne Ltd", "S6hne Ltd", {}],
    ["is an amount without decimals", "Net £1.00 £2.00 £47016", "£47016", { type: "money" }],
    ["is an amount that nothing confirms", "Net £1.00 Total £47.00", "£47.00", { type: "money" }],
  ])("is at most 0.8 where it %s", (_what, text, value, more) => {
    expect(sureOf(text, value, more)).toBeLessThanOrEqual(0.8);
    expect(sureOf(text, value, { ...more, unsure: null })).toBe(0.92);
  });

  test.each<[string, string, string, Case]>([
    ["has sure words around it only", "No. INV-7 due", "INV-7", { unsure: [0, 3, 10, 3] }],
    ["is on a page with its accents", "Fällig am\nKunde Vogel", "Vogel", { labels: ["Fällig am"] }],
    ["has digits", "Fallig am\nNr. RE-17", "RE-17", { labels: ["Fällig am"] }],
    ["is the sum of amounts", "£40.00 £10.00 £8.00 £58.00", "£58.00", { type: "money" }],
    ["is what is left", "£40.00 -£10.00 £30.00", "£30.00", { type: "money" }],
    ["is on the page twice", "Due £47.00 Total £47.00", "£47.00", { type: "money" }],
  ])("is that of its place where it %s", (_what, text, value, more) => {
    expect(sureOf(text, value, more)).toBe(0.92);
  });
});
