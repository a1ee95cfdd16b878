import { it } from "vitest";
import { startPlatform } from "../../../../support/svc.ts";
import { keys, type OpenedTerminal } from "../../../../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../../../support/open-dashboard.ts";

/** Another member has the tab of a shared view, and may not remove it as a viewer. */
async function seesSharedView(other: OpenedTerminal): Promise<void> {
  await other.waitFor("planning  Planning", patient);
  other.write(keys.enter);
  await other.waitFor(/PLANNING APPLICATION +\d/, patient);
  await goToApplications(other);
  await other.waitFor(/\[all\] {2}all open/, patient);
  other.write("}");
  await other.waitFor(/\[all open\] ─ 4 ─/, patient);
  other.write("L");
  await other.waitFor(/all open +shared/, patient);
  await other.type("remove");
  await other.waitFor("▸ remove the view all open", patient);
  other.write(keys.enter);
  await other.waitFor("tenant-staff", patient);
  other.write(keys.escape);
}

it("saves a view as a tab, shares it with the workspace, and undoes that", async () => {
  await using platform = await startPlatform({ hasSamples: true });
  await using terminal = await openDashboard(platform);
  await enterPlanning(terminal);
  await goToApplications(terminal);
  terminal.write("/");
  await terminal.type("status=open");
  terminal.write(keys.enter);
  await terminal.waitFor(/planning-application ─ 4 ─/, patient);
  terminal.write("L");
  await terminal.waitFor("▸ save this as a view", patient);
  terminal.write(keys.enter);
  await terminal.waitFor("Save this view", patient);
  await terminal.type("all");
  await terminal.waitFor("all is the list without a view", patient);
  await terminal.type(" open");
  terminal.write(keys.enter);
  await terminal.waitFor(/ all {2}\[all open\]/, patient);
  terminal.write("}");
  await terminal.waitFor(/\[all\] {2}all open/, patient);
  await terminal.waitFor(/all open ─ 42 ─/, patient);
  terminal.write("{");
  await terminal.waitFor(/\[all open\] ─ 4 ─/, patient);

  terminal.write("L");
  await terminal.waitFor("Views of planning-application", patient);
  await terminal.type("share");
  terminal.write(keys.enter);
  await terminal.waitFor("creates the Object Type dashboard-view", patient);
  terminal.write("y");
  await terminal.waitFor("all of this workspace have the view all open", patient);
  await terminal.waitFor(/ all {2}\[all open\]/, patient);
  const viewer = await platform.token("v.ward@northwind.example");
  await using other = await openDashboard(platform, { env: { SVC_TOKEN: viewer } });
  await seesSharedView(other);
  terminal.write("L");
  await terminal.waitFor(/all open +shared/, patient);
  terminal.write(keys.escape);
  await terminal.waitFor((screen) => !screen.includes("Views of"), patient);
  terminal.write("z");
  await terminal.waitFor("Undo “share the view all open”: 1 record", patient);
  terminal.write("y");
  await terminal.waitFor((screen) => !screen.includes("[all open]"), patient);
  await other.waitFor((screen) => !screen.includes("[all open]"), patient);
});
