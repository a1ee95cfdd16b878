import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied } from "../support/copied.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

async function openAlerts(wish: Wish = {}, size = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-viewer", ...wish }, size);
  await terminal.waitFor("▸ licence");
  terminal.write("9");
  await terminal.waitFor("[alerts]  rules");
  return terminal;
}

describe("the alerts for a member", () => {
  it("are counted at their place, and acknowledged one by one or marked", async () => {
    await using terminal = await openAlerts();
    await terminal.waitFor(/▸9 Alerts +2/);
    await terminal.waitFor(/▸ planning-application PA-2 was refused +● open/);
    expect(await copied(terminal)).toContain("svc alert list --tenant-id");
    terminal.write("a");
    await terminal.waitFor("acknowledged 1 alert");
    await terminal.waitFor(/▸ planning-application PA-2 was refused +✓ acknowledged/);
    await terminal.waitFor(/▸9 Alerts +1/);
    terminal.write("a");
    await terminal.waitFor("acknowledge: this alert is acknowledged already");
    terminal.write("A");
    await terminal.waitFor("2 marked");
    terminal.write("a");
    await terminal.waitFor("Acknowledge 2 alerts");
    expect(terminal.text()).toContain("svc alert ack");
    terminal.write("y");
    await terminal.waitFor("acknowledged 2 alerts");
    terminal.write("/");
    await terminal.type("open");
    terminal.write(keys.enter);
    await terminal.waitFor("No alert has this state.");
    await terminal.waitFor(/▸9 Alerts {3,}/);
  });

  it("lead to the record that they are about", async () => {
    await using terminal = await openAlerts();
    await terminal.waitFor("▸ planning-application PA-2 was refused");
    terminal.write("o");
    await terminal.waitFor("› planning-application");
  });

  it("fit 80 columns, and an empty list leads to the rules", async () => {
    await using terminal = await openAlerts({ noEvents: true }, { cols: 80, rows: 24 });
    await terminal.waitFor("] leads to the rules");
    terminal.write("]");
    await terminal.waitFor("[rules]");
    await terminal.waitFor("c creates one.");
  });
});
