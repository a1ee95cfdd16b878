import { expect, test } from "vitest";
import { namesOf, textOf } from "#server/domains/documents/search/spelt-terms.ts";
import { askedTerms, askedWord } from "#server/text/search/asked-terms.ts";

test("a query of beginnings alone has the vector of what it begins", () => {
  expect(textOf(" ", askedTerms("", ["en"], ["vx-17", "plan"]))).toBe("vx-17 plan");
  expect(textOf("the wall", [])).toBe("the wall");
});

test("corrections are the names of terms, as quotes compare them", () => {
  const corrected = new Map([["draineg", askedWord("drains", ["en"])]]);
  expect([...namesOf(corrected)]).toEqual([["draineg", "drain"]]);
});
