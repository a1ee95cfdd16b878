import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { openRecords } from "../support/open-fake.ts";

const listPath = /(\d+) \/v4\/data\/resources\/[\da-f-]{36}\/planning-application\n/g;

/** The statuses of the answers to the record list so far. */
async function listStatuses(requestsTo: string): Promise<string[]> {
  const log = await readFile(requestsTo, "utf8");
  return Array.from(log.matchAll(listPath), ([, status = ""]) => status);
}

async function untilListed(requestsTo: string, times: number): Promise<string[]> {
  for (;;) {
    const statuses = await listStatuses(requestsTo);
    if (statuses.length >= times) return statuses;
    await Bun.sleep(50);
  }
}

describe("what is visible", () => {
  it("costs few bytes when the cursor moves, and the details follow once it rests", async () => {
    const listWidth = 88;
    await using terminal = await openRecords({ count: 300 });
    await terminal.waitFor("e edit");
    // The badges, which are read later, must not come with a key.
    await terminal.waitFor("2 ✗");
    await terminal.waitFor("= Archives");
    await terminal.waitForQuiet(300);
    for (const [key, selected] of [
      ["j", "00299"],
      ["j", "00298"],
      ["k", "00299"],
      ["k", "00300"],
    ] as const) {
      const before = terminal.raw().length;
      terminal.write(key);
      await terminal.waitFor(`┌ PA-2026-${selected} ─`);
      await terminal.waitForQuiet(200);
      const written = terminal.raw().slice(before);
      const [, move = "", ...details] = written.split("\x1b[?2026h");
      expect(move).toContain(`▸ PA-2026-${selected}`);
      // The selection is a bar as wide as the list.
      expect(move.length).toBeLessThanOrEqual(200 + 2 * listWidth);
      expect(details.length).toBeGreaterThan(0);
      expect(details.join("").length).toBeLessThanOrEqual(300);
    }
  });

  // These wait for the next poll, which takes seconds, so they run at the same time.
  it.concurrent("is asked again while the user looks, and an unchanged answer writes nothing", async () => {
    const requestsTo = join(await temporaryDirectory("requests"), "log");
    await writeFile(requestsTo, "");
    await using terminal = await openRecords({ requestsTo }, { isAlone: true });
    expect(terminal.raw()).toContain("\x1b[?1004h");
    await terminal.waitFor("e edit");
    await terminal.waitForQuiet(300);
    const wrote: number[] = [];
    // On a busy machine an answer may be late, and its age is drawn then.
    while (!wrote.includes(0) && wrote.length < 3) {
      const written = terminal.bytesWritten();
      const asked = (await listStatuses(requestsTo)).length;
      const statuses = await untilListed(requestsTo, asked + 1);
      expect(new Set(statuses.slice(asked))).toEqual(new Set(["304"]));
      wrote.push(terminal.bytesWritten() - written);
    }
    expect(wrote).toContain(0);
    expect(terminal.text()).toContain("● live");
    // A focus report is no key.
    terminal.write("\x1b[O\x1b[I");
    await terminal.waitForQuiet(100);
    expect(terminal.text()).toContain("▸ PA-2026-00042");
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw().lastIndexOf("\x1b[?1004l")).toBeGreaterThan(
      terminal.raw().lastIndexOf("\x1b[?1004h"),
    );
  });

  it.concurrent("is asked again by a deployment without entity tags too", async () => {
    const newcomerWhile = join(await temporaryDirectory("newcomer"), "there");
    await using terminal = await openRecords({ newcomerWhile, untagged: true });
    await writeFile(newcomerWhile, "");
    await terminal.waitFor("PA-2027-00001");
    expect(terminal.text()).toContain("▸ PA-2026-00042");
  });

  it.concurrent("shows the time of its answer while nothing answers", async () => {
    const downWhile = join(await temporaryDirectory("down"), "there");
    await using terminal = await openRecords({ downWhile });
    await writeFile(downWhile, "");
    await terminal.waitFor(/▲ offline · as of \d\d:\d\d:\d\d/);
  });
});
