import { expect, test } from "vitest";
import { isVersion, version } from "#lib/version.ts";

test.each([
  [version, true],
  ["1.5.0-rc.1", true],
  ["1.5", false],
  ["v1.5.0", false],
  ["1.5.0 rm -rf", false],
  [`1.0.0-${"a".repeat(61)}`, false],
])("%j is a version: %s", (text, holds) => {
  expect(isVersion(text)).toBe(holds);
});
