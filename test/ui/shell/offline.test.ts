import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys } from "../../support/tty.ts";
import { openFake, openRecords } from "../support/open-fake.ts";

/** A path: while a file exists there, the fake platform does not answer. */
async function switchPath(): Promise<string> {
  return join(await temporaryDirectory("offline"), "down");
}

describe("a platform that stops answering", () => {
  it.each([
    ["records", "r", /▲ updated (just now|\d+s ago): E201 Platform.* r tries again *│/],
    ["health", "6r", /▲ updated (just now|\d+s ago): E201 Platform.* r tries again *│/],
  ])("keeps the loaded %s, with its age and the next step", async (_, pressed, shown) => {
    const downWhile = await switchPath();
    await using terminal = await openRecords({ downWhile }, { cols: 80, rows: 24 });
    for (const key of pressed.slice(0, -1)) terminal.write(key);
    if (pressed.includes("6")) await terminal.waitFor("the platform is ok");
    await writeFile(downWhile, "");
    terminal.write("r");
    await terminal.waitFor(shown);
    await terminal.waitFor("▲ offline · as of");
    expect(terminal.text()).toMatch(pressed.includes("6") ? /database/ : /▸ PA-2026-00042/);
    await rm(downWhile);
    terminal.write("r");
    await terminal.waitFor((screen) => !screen.includes("▲ updated") && screen.includes("● live"));
  });

  it("leads to another platform where it never answered", async () => {
    await using terminal = openFake({ down: true, workspace: false });
    await terminal.waitFor("r tries again, : leads to “another platform”");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("another platform");
    await terminal.waitFor(/▸ sign in, or another platform/);
    terminal.write(keys.enter);
    await terminal.waitFor("Sign in");
    await terminal.waitFor(/p +another platform address/);
  });

  it("counts the seconds of a long wait", async () => {
    await using terminal = openFake({ listMs: 60_000 });
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor(/Loading planning-application, \d+s/);
    await terminal.waitFor(/◌ waiting \d+s/);
  });
});
