import { expect, test } from "vitest";
import {
  email,
  givenEmail,
  objectTypeSlug,
  opaqueId,
  slug,
  timeZone,
  uuid,
  wholeNumber,
  workspaceSlug,
} from "#contract/values.ts";

test.each([
  [uuid, "6F1ED002-AB59-4C1E-8D10-000000000001", "6f1ed002-ab59-4c1e-8d10-000000000001"],
  [wholeNumber(1, 9), "7", 7],
  [wholeNumber(-9, 9), "-7", -7],
  [timeZone, "Europe/London", "Europe/London"],
  [timeZone, "UTC", "UTC"],
  [slug, "a-1", "a-1"],
  [email, "a@b", "a@b"],
  [objectTypeSlug, "Any Name", "Any Name"],
  [opaqueId, "any ü", "any ü"],
] as const)("case %#: %s reads %j", (schema, value, read) => {
  expect(schema.parse(value)).toBe(read);
});

test.each([
  [uuid, "6f1ed002"],
  [wholeNumber(1, 9), "10"],
  [wholeNumber(1, 9), "1e0"],
  [wholeNumber(1, 9), " 1"],
  [timeZone, "europe/london"],
  [timeZone, "+01:00"],
  [timeZone, "Nowhere/City"],
  [slug, "A"],
  [slug, "a--b"],
  [workspaceSlug, "6f1ed002-ab59-4c1e-8d10-000000000001"],
  [email, "a b@c"],
  [givenEmail, "a\u200b@b"],
  [givenEmail, "p\u0430ypal@b"],
  [opaqueId, "a\nb"],
] as const)("case %#: %s refuses %j", (schema, value) => {
  expect(schema.safeParse(value).success).toBe(false);
});
