import { expect, it } from "vitest";
import { openFake } from "../support/open-fake.ts";

it("has the storage and the last changes next to the state on a wide screen", async () => {
  await using terminal = openFake({ role: "tenant-admin" }, { cols: 200, rows: 50 });
  await terminal.waitFor("▸ licence");
  terminal.write("6");
  await terminal.waitFor(/the platform is ok +Storage backends +Refused and failed/);
  // The notices name what has failed elsewhere.
  await terminal.waitFor("Notices and commands");
  await terminal.waitFor("GitHub: number is required");
  await terminal.waitFor(/members\.remove .*permission-denied/);
  await terminal.waitFor(/Last changes[\s\S]+members\.setRole/);
  const row = terminal.screen().findIndex((line) => line.includes("permission-denied"));
  const line = terminal.screen()[row] ?? "";
  const colourAt = (text: string) => terminal.cell(row, line.indexOf(text)).foreground;
  expect(colourAt("permission-denied")).not.toBe(colourAt("members.remove"));
});

it("has two columns where a third one has no room, and the notices below the storage", async () => {
  await using terminal = openFake({ role: "tenant-admin" }, { cols: 160, rows: 50 });
  await terminal.waitFor("▸ licence");
  terminal.write("6");
  await terminal.waitFor(/the platform is ok +Refused and failed/);
  await terminal.waitFor(/Storage backends[\s\S]+Notices and commands[\s\S]+slow\.example\.org/);
});

it("has the storage, the notices and the last changes below the state at 120 columns", async () => {
  await using terminal = openFake({ role: "tenant-admin" }, { cols: 120, rows: 40 });
  await terminal.waitFor("▸ licence");
  terminal.write("6");
  await terminal.waitFor(/the platform is ok[\s\S]+Storage backends[\s\S]+Notices and commands/);
  terminal.write("G");
  await terminal.waitFor(/Refused and failed[\s\S]+permission-denied[\s\S]+Last changes/);
});
