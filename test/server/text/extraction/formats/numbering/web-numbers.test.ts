import { expect, test } from "vitest";
import { extract } from "../build-files.ts";

const textOf = async (html: string): Promise<string> =>
  (await extract(`<!DOCTYPE html><body>${html}`, { filename: "a.html" })).pages[0]?.text ?? "";

test("items of an ordered list have its numbers", async () => {
  expect(
    await textOf("<ol><li><p>Term</p><li>Rent<ol type=a><li>paid</ol><li></li><li>Law</ol>"),
  ).toBe("1. Term\n\n2. Rent\n\na. paid\n\n4. Law");
});

test("a list may start elsewhere, and an item may have its own number", async () => {
  expect(await textOf('<ol start=4 type="I"><li>a<li value=9>b<li>c</ol>')).toBe(
    "IV. a\nIX. b\nX. c",
  );
  expect(await textOf('<ol style="list-style-type: lower-alpha"><li>a</ol>')).toBe("a. a");
});

test.each([
  ["a list without an order", "<ul><li>a</ul>"],
  ["a list of links", "<nav><ol><li>a</ol></nav>"],
  ["a list that shows no numbers", '<ol style="list-style: none"><li>a</ol>'],
  ["a list that counts down", "<ol reversed><li>a</ol>"],
])("%s has no numbers", async (_, html) => {
  expect(await textOf(html)).toBe("a");
});
