import { expect, it } from "vitest";
import { startPlatform } from "../../../support/svc.ts";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../../support/open-dashboard.ts";
import { openOrders } from "../../support/open-fake.ts";

/** Presses a key, and says yes to its question. */
async function confirmed(terminal: OpenedTerminal, key: string, question: string): Promise<void> {
  terminal.write(key);
  await terminal.waitFor(question, patient);
  terminal.write("y");
  await terminal.waitFor((screen) => !screen.includes(question), patient);
}

it("undoes an edit and a deletion of marks, after a look at each", async () => {
  await using platform = await startPlatform({ hasSamples: true });
  await using terminal = await openDashboard(platform);
  await enterPlanning(terminal);
  await goToApplications(terminal);
  terminal.write("z");
  await terminal.waitFor("undo: nothing was changed here yet", patient);

  terminal.write("e");
  await terminal.waitFor("Edit PA-2026-0042, version 1", patient);
  terminal.write(keys.tab);
  await terminal.waitFor("▸ address", patient);
  await terminal.type("7");
  await terminal.waitFor("1QS7", patient);
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor("saved PA-2026-0042 as version 2", patient);
  await terminal.waitFor("z undo", patient);
  terminal.write("z");
  await terminal.waitFor("Undo “edit PA-2026-0042”: 1 record", patient);
  await terminal.waitFor(/address …\S+ NW4 1QS7 → …\S+ NW4 1QS/, patient);
  await terminal.waitFor("svc resources restore", patient);
  terminal.write("y");
  await terminal.waitFor("undid “edit PA-2026-0042”", patient);
  await terminal.waitFor(/address +18 Quay Street, Northwind NW4 1QS /, patient);

  terminal.write("  ");
  await terminal.waitFor("2 marked", patient);
  await confirmed(terminal, keys.ctrl("d"), "Delete 2 records");
  await terminal.waitFor(/planning-application ─ 40 ─/, patient);
  await confirmed(terminal, "z", "Undo “delete 2 records”: 2 records");
  await terminal.waitFor(/planning-application ─ 42 ─/, patient);
  terminal.write("g");
  await terminal.waitFor("▸ PA-2026-0042 ", patient);
});

it("compares versions side by side, restores one, and undoes that", async () => {
  await using terminal = await openOrders();
  terminal.write(`${keys.enter}]]`);
  await terminal.waitFor(/▸ 2 +update/);
  terminal.write(" ");
  await terminal.waitFor(/▸ ✓ 2 +update/);
  terminal.write("j");
  await terminal.waitFor(/VERSION 1 +VERSION 2/);
  await terminal.waitFor(/ 100 +120 /);
  terminal.write(keys.enter);
  await terminal.waitFor((screen) => !screen.includes("OPERATION"));
  await terminal.waitFor(/VERSION 1 +VERSION 2/);
  terminal.write(keys.escape);
  await terminal.waitFor(/▸ +1 +create/);
  terminal.write("z");
  await terminal.waitFor("Restore version 1 of WO-1");
  expect(terminal.text()).toContain("cost 120 → 100");
  terminal.write("y");
  await terminal.waitFor("WO-1 is as in version 1 again, as version 3");
  await terminal.waitFor(/ 3 +restore/);
  terminal.write("g");
  await terminal.waitFor(/▸ +3 +restore/);
  terminal.write("z");
  await terminal.waitFor("Undo “restore version 1 of WO-1”: 1 record");
  expect(terminal.text()).toContain("cost 100 → 120");
  terminal.write("y");
  await terminal.waitFor("undid “restore version 1 of WO-1”");
  await terminal.waitFor(/ 4 +restore/);
});
