import { expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { openFake } from "../support/open-fake.ts";

it.each([
  [80, 24],
  [120, 40],
])("a lost workspace of an earlier start opens the chooser at %i x %i", async (cols, rows) => {
  await using terminal = openFake({ lostWorkspace: true }, { cols, rows });
  await terminal.waitFor("old-desk is no longer one of your workspaces");
  await terminal.waitFor("northwind-council");
  expect(terminal.text()).not.toMatch(/\bE\d{3}\b/);
  terminal.write(keys.enter);
  await terminal.waitFor(/PLANNING APPLICATION +42/);
});
