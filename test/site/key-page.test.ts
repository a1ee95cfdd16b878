import { expect, test } from "vitest";
import { keyPage } from "#site/key-page.ts";

test("keys are listed by place, and escaped", () => {
  const page = keyPage([
    { id: "lists", title: "In lists", keys: [{ keys: ["<"], words: "a & b" }] },
  ]);
  expect(page.outline).toEqual([{ id: "lists", title: "In lists" }]);
  expect(page.content.text).toContain("<kbd>&lt;</kbd>");
  expect(page.content.text).toContain("a &amp; b");
});
