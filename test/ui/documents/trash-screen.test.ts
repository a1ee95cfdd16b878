import { expect, it } from "vitest";
import { startPlatform } from "../../support/svc.ts";
import { keys } from "../../support/tty.ts";
import { enterPlanning, openDashboard, patient } from "../support/open-dashboard.ts";

it("puts a document into the trash, lists it there and restores it", async () => {
  await using platform = await startPlatform({ hasSamples: true });
  await using terminal = await openDashboard(platform, { cols: 80, rows: 24 });
  await enterPlanning(terminal);
  terminal.write("2");
  await terminal.waitFor(/Documents ─ 10 ─/, patient);
  terminal.write(keys.ctrl("d"));
  await terminal.waitFor(/Delete DOC-\d+-\d+/, patient);
  const [, number = ""] = /Delete (DOC-\d+-\d+)/.exec(terminal.text()) ?? [];
  expect(terminal.text()).toContain("docs delete");
  // The deletion can be undone: one key confirms it.
  terminal.write("y");
  await terminal.waitFor(/Documents ─ 9 ─/, patient);
  terminal.write("T");
  await terminal.waitFor(/Documents in the trash ─ 1 ─/, patient);
  expect(terminal.text()).toContain(number);
  terminal.write("z");
  await terminal.waitFor("The trash is empty", patient);
  terminal.write(keys.escape);
  await terminal.waitFor(/Documents ─ 10 ─/, patient);
});
