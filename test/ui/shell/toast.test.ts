import { expect, test } from "vitest";
import { openRecords } from "../support/open-fake.ts";

test.each([
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
])("a message leaves the keys in sight at $cols x $rows", async (size) => {
  await using terminal = await openRecords({}, size);
  await terminal.waitFor("↵ open");
  await terminal.waitForQuiet(300);
  const keys = terminal.screen().at(-1);
  terminal.write("y");
  await terminal.waitFor("✓ copied: BASE_URL_PUBLIC_API=");
  expect(terminal.screen().at(-1)).toBe(keys);
  expect(terminal.screen().at(-2)).toMatch(/^└ ✓ copied: .*[┘…]/);
});
