import { expect, it } from "vitest";
import { startPlatform } from "../../../support/svc.ts";
import { keys } from "../../../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../../support/open-dashboard.ts";

it("previews a deletion, lists what was deleted, restores it and erases it", async () => {
  await using platform = await startPlatform({ hasSamples: true });
  await using terminal = await openDashboard(platform);
  await enterPlanning(terminal);
  await goToApplications(terminal);
  await terminal.waitFor(/PA-2026-0042 .* ● open .* in \d+d/, patient);
  terminal.write(keys.ctrl("d"));
  await terminal.waitFor("Delete PA-2026-0042", patient);
  await terminal.waitFor("also deletes 1 record: assess-case AC-2026-0005", patient);
  expect(terminal.text()).toMatch(/resources delete/);
  terminal.write("y");
  // A message ends by itself: it is waited for before what stays.
  await terminal.waitFor("deleted PA-2026-0042", patient);
  await terminal.waitFor("▸ PA-2026-0041", patient);
  terminal.write("T");
  await terminal.waitFor(/deleted planning-application ─ 1 ─/, patient);
  await terminal.waitFor("▸ PA-2026-0042", patient);
  terminal.resize(80, 24);
  await terminal.waitFor("z restore", patient);
  terminal.write("z");
  await terminal.waitFor("restored PA-2026-0042 as version 3 with 1 other record", patient);
  await terminal.waitFor("There is no deleted planning-application to restore", patient);
  terminal.resize(120, 40);
  terminal.write(keys.escape);
  await terminal.waitFor(/planning-application ─ 42 ─/, patient);
  terminal.write("k");
  await terminal.waitFor("▸ PA-2026-0042", patient);
  terminal.write(keys.ctrl("d"));
  await terminal.waitFor("also deletes 1 record", patient);
  terminal.write("y");
  await terminal.waitFor("deleted PA-2026-0042", patient);
  await terminal.waitFor("▸ PA-2026-0041", patient);
  terminal.write("T");
  await terminal.waitFor("▸ PA-2026-0042", patient);
  terminal.write(keys.ctrl("d"));
  await terminal.waitFor(/Erase PA-2026-0042 for good[^]* with 4\b/, patient);
  expect(terminal.text()).toContain("this cannot be undone");
  await terminal.type("planning-application");
  terminal.write(keys.enter);
  await terminal.waitFor("There is no deleted planning-application to restore", patient);
});
