import { expect, test } from "vitest";
import { isSecret, steersPrograms } from "#commands/kit/env/secrets.ts";

test.each([
  ["API_KEY", "x", true],
  ["DB_PASSWORD", "x", true],
  ["DATABASE_URL", "postgres://u:p@db.test/x", true],
  ["HEADER", "Bearer abcdefghijk", true],
  ["SVC_APP_KEY", "planning", false],
  ["NEXT_PUBLIC_KEY", "x", false],
  ["KEYBOARD", "x", false],
  ["BASE_URL", "https://a.test", false],
])("%s=%s is secret: %s", (name, value, holds) => {
  expect(isSecret(name, value)).toBe(holds);
});

test.each([
  ["NODE_OPTIONS", true],
  ["ld_preload", true],
  ["Path", true],
  ["BUN_X", true],
  ["PATHS", false],
  ["MY_NODE_OPTIONS", false],
])("%s steers programs: %s", (name, holds) => {
  expect(steersPrograms(name)).toBe(holds);
});
