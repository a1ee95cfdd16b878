import { expect, it } from "vitest";
import { keys } from "../../../support/tty.ts";
import { openRecords } from "../../support/open-fake.ts";

it("narrows the list while it is typed, and esc brings the former list back", async () => {
  await using terminal = await openRecords();
  terminal.write("/");
  await terminal.waitFor("filter");
  await terminal.type("reference:00041");
  await terminal.waitFor("┌ planning-application ─ 1 ─");
  expect(terminal.text()).toContain("▸ PA-2026-00041");
  terminal.write(keys.escape);
  await terminal.waitFor("┌ planning-application ─ 42 ─");
});

it("opens again with a blank, so that the next term is one by itself", async () => {
  await using terminal = await openRecords();
  terminal.write("/");
  await terminal.waitFor("filter");
  await terminal.type("status:open");
  terminal.write(keys.enter);
  await terminal.waitFor("filter status:open");
  terminal.write("/");
  // All fields complete the next term.
  await terminal.waitFor("reference  address  status");
  await terminal.type("reference:00039");
  await terminal.waitFor("┌ planning-application ─ 1 ─");
  terminal.write(keys.enter);
  await terminal.waitFor("filter status:open reference:00039");
});

it("stays as it was while the text is not a filter yet", async () => {
  await using terminal = await openRecords();
  terminal.write("/");
  await terminal.waitFor("filter");
  await terminal.type("amount:x");
  await terminal.waitFor("amount must be a number");
  await terminal.waitForQuiet(500);
  expect(terminal.text()).toContain("┌ planning-application ─ 42 ─");
});
