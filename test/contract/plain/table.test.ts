import { expect, test } from "vitest";
import { pageRules } from "#contract/plain/rules.ts";
import { furtherRequests, furtherShapes, pageShapes } from "#contract/plain/table.ts";

test("a page has each rule that its requests need", () => {
  const text = JSON.stringify(pageShapes().values);
  const used = new Set(Array.from(text.matchAll(/"rule":\["([^"]+)"/g), ([, name]) => name));
  expect(used).toEqual(new Set(Object.keys(pageRules)));
});

test("shapes name only those before them, so that a page needs no others", () => {
  const [page, answers, requests] = [pageShapes(), furtherShapes(), furtherRequests()];
  const counts = [page, answers, requests].map(({ values }) => values.length);
  expect(Math.min(...counts)).toBeGreaterThan(20);
  const numbers = (text: string) =>
    Array.from(text.matchAll(/[@&|=c](\d+),/g), ([, number]) => Number(number));
  const largest = Math.max(...numbers(page.entries + Object.values(page.parts).join("")));
  expect(largest).toBe((counts[0] ?? 0) - 1);
});
