import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied } from "../support/copied.ts";
import { openFake } from "../support/open-fake.ts";

async function openReceived(): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin" });
  await terminal.waitFor("▸ licence");
  terminal.write("8");
  await terminal.waitFor("[endpoints]");
  terminal.write("]");
  await terminal.waitFor("▸ GitHub");
  terminal.write("L");
  await terminal.waitFor("Calls from GitHub ─ 2 ─ newest first");
  return terminal;
}

describe("the calls that a source has received", () => {
  it("have their reason and body, are tried with another mapping, and take effect again", async () => {
    await using terminal = await openReceived();
    await terminal.waitFor(/▸ sent-c-2 +✗ failed +number is required/);
    await terminal.waitFor('{"number":null}');
    expect(await copied(terminal)).toContain("svc webhook source call s-1 c-2");
    terminal.write(keys.enter + "G");
    await terminal.waitFor('"x-event": "issues"');
    terminal.write(keys.escape);
    await terminal.waitForQuiet(200);
    terminal.write("m");
    await terminal.waitFor("Try the mapping of GitHub");
    terminal.write(keys.ctrl("u"));
    await terminal.type("error(1)");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("the program stopped with 1");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("the program stopped"));
    terminal.write("R");
    await terminal.waitFor("replayed 1 call");
    await terminal.waitFor(/▸ sent-c-2 +✓ done/);
  });
});
