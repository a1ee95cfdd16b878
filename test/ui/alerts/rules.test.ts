import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied, copyInForm } from "../support/copied.ts";
import { openFake } from "../support/open-fake.ts";

async function openRules(): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin" });
  await terminal.waitFor("▸ licence");
  terminal.write("9");
  await terminal.waitFor("[alerts]");
  terminal.write("]");
  await terminal.waitFor(/▸ Refused +● active +event +staff/);
  return terminal;
}

describe("the alert rules", () => {
  it("are created, changed, muted and deleted", async () => {
    await using terminal = await openRules();
    expect(await copied(terminal)).toContain("svc alert rule show r-1");
    terminal.write("/");
    await terminal.type("nowhere");
    await terminal.waitFor("None of the first 1,000 rows has this in its columns.");
    terminal.write(keys.ctrl("u"));
    await terminal.type("REFUS");
    terminal.write(keys.enter);
    await terminal.waitFor(/with REFUS[^]+▸ Refused/);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("REFUS"));
    terminal.write("c");
    await terminal.waitFor("Create an alert rule");
    await terminal.type("Due soon");
    terminal.write(keys.tab);
    await terminal.type("d");
    await terminal.waitFor(/kind \* +‹ deadline ›/);
    terminal.write(keys.tab);
    terminal.write(keys.paste("planning-application"));
    expect(await copied(terminal, copyInForm)).toMatch(
      /svc alert rule create 'Due soon' --kind deadline .*--types planning-application/,
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("created the rule Due soon");
    await terminal.waitFor(/▸ Due soon +● active +deadline/);
    terminal.write("e");
    await terminal.waitFor("Change the rule Due soon");
    await terminal.type("er");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("▸ Due sooner");
    terminal.write("D");
    await terminal.waitFor("Mute the rule Due sooner");
    await terminal.waitFor(/svc alert rule[^]+--no-enabled/);
    terminal.write("y");
    await terminal.waitFor(/▸ Due sooner +‖ muted/);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("the alerts that it has raised stay");
    terminal.write("y");
    await terminal.waitFor("▸ Refused");
  });
});
