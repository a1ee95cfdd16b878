import { expect, test } from "vitest";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appKeyOf, bindApp } from "#commands/kit/apps/binding.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test.each(["", "  ", "a\nb", "x".repeat(129)])("%j is no key of an app", (text) => {
  expect(() => appKeyOf(text)).toThrow("<key> must be 1 to 128 characters");
});

test("a project is bound under the new and the old name", async () => {
  expect(appKeyOf(" planning ")).toBe("planning");
  const path = join(await temporaryDirectory(), ".env.local");
  await writeFile(path, "# mine\nSVC_APP_KEY=old\n");
  await bindApp(path, "planning");
  expect(await readFile(path, "utf8")).toBe(
    "# mine\nSVC_APP_KEY=planning\nSVC_VERTICAL_KEY=planning\n",
  );
});
