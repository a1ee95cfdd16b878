import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys } from "../../../support/tty.ts";
import { choose, openFake, openRecords } from "../../support/open-fake.ts";

/** A path: while a file exists there, each list has one row more, the newest. */
async function newcomerPath(): Promise<string> {
  return join(await temporaryDirectory("newcomer"), "there");
}

describe("the selected row", () => {
  it("stays when another is inserted above it, also before the first key", async () => {
    const newcomerWhile = await newcomerPath();
    await using terminal = await openRecords({ newcomerWhile });
    await writeFile(newcomerWhile, "");
    terminal.write("r");
    await terminal.waitFor("PA-2027-00001");
    expect(terminal.text()).toContain("▸ PA-2026-00042");
    expect(terminal.text()).toContain("┌ PA-2026-00042");
  });

  it("stays when the one above it is deleted", async () => {
    const newcomerWhile = await newcomerPath();
    await writeFile(newcomerWhile, "");
    await using terminal = openFake({ newcomerWhile });
    await terminal.waitFor("▸ licence");
    terminal.write("j\r");
    await terminal.waitFor("▸ PA-2027-00001");
    terminal.write("jj");
    await terminal.waitFor("▸ PA-2026-00041");
    await rm(newcomerWhile);
    terminal.write("r");
    await terminal.waitFor((screen) => !screen.includes("PA-2027-00001"));
    expect(terminal.text()).toContain("▸ PA-2026-00041");
  });

  it("is the next one when it is deleted, and then stays that one", async () => {
    const newcomerWhile = await newcomerPath();
    await writeFile(newcomerWhile, "");
    await using terminal = openFake({ newcomerWhile });
    await terminal.waitFor("▸ licence");
    terminal.write("j\r");
    await terminal.waitFor("▸ PA-2027-00001");
    await rm(newcomerWhile);
    terminal.write("r");
    await terminal.waitFor("▸ PA-2026-00042");
    await writeFile(newcomerWhile, "");
    terminal.write("r");
    await terminal.waitFor("PA-2027-00001");
    expect(terminal.text()).toContain("▸ PA-2026-00042");
  });

  it("stays as a ghost when it leaves the list, until the next key", async () => {
    const newcomerWhile = await newcomerPath();
    const eventsAt = join(await temporaryDirectory("events"), "events");
    await writeFile(newcomerWhile, "");
    await writeFile(eventsAt, "");
    await using terminal = openFake({ newcomerWhile, eventsAt });
    await terminal.waitFor("▸ licence");
    terminal.write("j\r");
    await terminal.waitFor("▸ PA-2027-00001");
    await terminal.waitFor("● live");
    // A row that leaves sooner after a key has left by what the user did.
    await Bun.sleep(3_200);
    await rm(newcomerWhile);
    await appendFile(eventsAt, "svc.resource.deleted\n");
    await terminal.waitFor("▸⊘PA-2027-00001");
    await terminal.waitFor("planning-application ─ 42 ─");
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-00042");
    await terminal.waitFor((screen) => !screen.includes("PA-2027-00001"));
  });

  it.each([
    ["documents", "2"],
    ["jobs", "3"],
  ])("stays in the list of %s before the first key", async (_, place) => {
    const newcomerWhile = await newcomerPath();
    await using terminal = openFake({ newcomerWhile, jobStatus: "failed" });
    await terminal.waitFor("▸ licence");
    terminal.write(place);
    await terminal.waitFor("▸ plans.pdf");
    await writeFile(newcomerWhile, "");
    terminal.write("r");
    await terminal.waitFor("later.pdf");
    expect(terminal.text()).toContain("▸ plans.pdf");
  });

  it("is a created record, wherever the order has it", async () => {
    await using terminal = await openRecords({ count: 450 });
    await choose(terminal, "s", "Sort by", "address");
    await terminal.waitFor("sort address ↑");
    await terminal.waitFor("▸ PA-2026-00450");
    terminal.write("c");
    await terminal.waitFor("Create planning-application");
    await terminal.type("PA-2026-99999");
    terminal.write(keys.tab);
    await terminal.waitFor("▸ address");
    await terminal.type("321 Quay Street again");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor(/▸ PA-2026-99999 +321 Quay Stre/);
    // It is far below the first page.
    expect(terminal.text()).toMatch(/row 2\d\d /);
  });
});
