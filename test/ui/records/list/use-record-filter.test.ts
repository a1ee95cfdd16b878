import { expect, it } from "vitest";
import { keys } from "../../../support/tty.ts";
import { copied } from "../../support/copied.ts";
import { openRecords } from "../../support/open-fake.ts";

it("finds words in a large type by the search index, and names its limit", async () => {
  await using terminal = await openRecords({ count: 5_000 });
  terminal.write("/");
  await terminal.type("street status:open");
  terminal.write(keys.enter);
  await terminal.waitFor(/planning-application ─ .*the best 100 ─ filter street/);
  await terminal.waitFor("▸ PA-2026-");
  const command = await copied(terminal);
  expect(command).toContain('"id":{"$in":["');
  expect(command).not.toContain("$regex");
});
