import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { openFake, openRecords } from "../support/open-fake.ts";

describe("with no sign-in or no platform", () => {
  it("leads to a sign-in by browser and goes on", async () => {
    await using terminal = openFake({ signedIn: false });
    await terminal.waitFor("sign in with the browser");
    await terminal.waitFor("● answers");
    terminal.write("b");
    await terminal.waitFor("https://sign.in/authorize");
    await terminal.waitFor("northwind-council › planning › home");
  });

  it("shows the reason for as long as it is open", async () => {
    await using terminal = openFake({ expired: true });
    await terminal.waitFor("sign in with the browser");
    // The message is gone when the footer is back.
    await terminal.waitFor("b sign in by browser");
    expect(terminal.text()).toMatch(/✗ E10\d /);
    terminal.write("1");
    await terminal.waitFor(": leads to “sign in”");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("sign in, or");
    await terminal.waitFor("▸ sign in, or another platform");
    terminal.write("\r");
    await terminal.waitFor("sign in with the browser");
  });

  it.each([
    [":", "Go to, or do", /mark all/],
    ["?", "Here and now", /^│ {3}A +mark all/m],
  ])("offers its own keys by %s, not those of the place before it", async (key, title, ofList) => {
    const expiredWhile = join(await temporaryDirectory("expired"), "expired");
    const workspacesWaitFor = join(await temporaryDirectory("expired"), "waiting");
    await using terminal = await openRecords({ expiredWhile, workspacesWaitFor });
    await writeFile(workspacesWaitFor, "");
    terminal.write("r");
    terminal.write(key);
    await terminal.waitFor(title);
    await terminal.waitFor(ofList);
    await writeFile(expiredWhile, "");
    await rm(workspacesWaitFor);
    await terminal.waitFor((screen) => /sign in/i.test(screen) && !ofList.test(screen));
    await terminal.waitFor(/sign in by browser .*│/);
  });

  it.each([
    { down: true, first: /l ↵ +start or use a platform on this machine/ },
    { down: false, first: /b ↵ +sign in with the browser/ },
  ])("takes the first way by Enter, where the platform is down: $down", async ({ down, first }) => {
    await using terminal = openFake({ signedIn: false, down });
    await terminal.waitFor(down ? "✗ does not answer" : "answers");
    await terminal.waitFor(first);
    terminal.write(keys.enter);
    await terminal.waitFor("northwind-council › planning › home");
  });

  it("shows the code of a sign-in elsewhere", async () => {
    await using terminal = openFake({ signedIn: false });
    await terminal.waitFor("sign in with a code");
    terminal.write("d");
    // The sign-in is confirmed soon, so that all of it is looked for at once.
    await terminal.waitFor(/WDJB-MJHT[^]+the code ends in (?:10:00|9:59)[^]+ █▀▀▀▀▀█ [^]+█▀▀▀▀▀█ /);
    await terminal.waitFor("northwind-council › planning › home");
  });

  it("says that nothing answers, and starts a platform", async () => {
    await using terminal = openFake({ signedIn: false, down: true });
    await terminal.waitFor("✗ does not answer");
    terminal.write("l");
    await terminal.waitFor("northwind-council › planning › home");
  });

  it("shows the catalog's words when the platform is down, and stays usable", async () => {
    await using terminal = openFake({ down: true });
    await terminal.waitFor("E201");
    await terminal.waitFor("✗ offline");
    expect(terminal.text()).toContain("Platform API unreachable");
    terminal.write("2");
    await terminal.waitFor("› documents");
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
  });
});
