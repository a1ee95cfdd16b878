import { expect, test } from "vitest";
import { standInId } from "#commands/workspace/archives/public/stand-in-ids.ts";
import { uuidNumber } from "#server/kit/ordered-uuid.ts";

test("an id of an archive stays, and another one gets the same stand-in each time", () => {
  const own = "0198f0a0-1111-7000-8000-000000000001";
  expect(standInId("w", own)).toBe(own);
  for (const id of ["17", "street/tree ü", "7d9f3c0e-2c2a-4f5e-9a1b-0123456789ab", ""]) {
    const made = standInId("w", id);
    expect(uuidNumber(made), made).toBeGreaterThan(0);
    expect(standInId("w", id)).toBe(made);
    expect(standInId("v", id)).not.toBe(made);
  }
});
