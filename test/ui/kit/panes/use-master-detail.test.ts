import { expect, it } from "vitest";
import { keys } from "../../../support/tty.ts";
import { openRecords } from "../../support/open-fake.ts";

/** The row of the screen at which the details of the newest record begin; -1 without them. */
function detailRow(screen: string): number {
  return screen.split("\n").findIndex((line) => line.includes("┌ PA-2026-00042 ─"));
}

it("gives a pane the whole screen, and back", async () => {
  await using terminal = await openRecords();
  const row = detailRow(terminal.text());
  expect(row).toBeGreaterThan(0);
  terminal.write("+");
  await terminal.waitFor((screen) => detailRow(screen) === -1);
  terminal.write(keys.enter);
  await terminal.waitFor((screen) => detailRow(screen) === 1);
  terminal.write("+");
  await terminal.waitFor((screen) => detailRow(screen) === row);
});

it("gives the list more or less room", async () => {
  await using terminal = await openRecords();
  const row = detailRow(terminal.text());
  terminal.write(">");
  await terminal.waitFor((screen) => detailRow(screen) === row + 2);
  terminal.write("<<");
  await terminal.waitFor((screen) => detailRow(screen) === row - 2);
});
