import { expect, test } from "vitest";
import { canonicalUuid, hyphenatedUuid, uuidPattern } from "#lib/uuid.ts";

const id = "0190a000-0000-7000-8000-0000000000ff";

test("a UUID is recognised in any case, and canonical in lower case", () => {
  expect(canonicalUuid(id.toUpperCase())).toBe(id);
  expect(uuidPattern.test(id)).toBe(true);
  expect(uuidPattern.test(id.toUpperCase())).toBe(false);
});

test.each(["", `${id}0`, ` ${id}`, id.replaceAll("-", ""), `{${id}}`, `${id}\n`])(
  "%j is none",
  (text) => {
    expect(canonicalUuid(text)).toBeUndefined();
  },
);

test("an identifier gets the hyphens that it was written without", () => {
  expect(hyphenatedUuid(id.replaceAll("-", "").toUpperCase())).toBe(id);
  expect(hyphenatedUuid(id)).toBe(id);
});
