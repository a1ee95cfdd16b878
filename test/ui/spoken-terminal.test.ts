import { describe, expect, it } from "vitest";
import type { OpenedTerminal } from "../support/tty.ts";
import { openFake, type Wish } from "./support/open-fake.ts";

/** A dashboard that is read as lines; `say` types one, and waits for what is to be read. */
async function openSpoken(wish: Wish = {}) {
  const terminal = openFake({ ...wish, isSpoken: true }, { cols: 100, rows: 120, isAlone: true });
  await terminal.waitFor("2. planning-application, 42");
  const say = async (line: string, wanted: string | RegExp) => {
    terminal.write(`${line}\r`);
    await terminal.waitFor(wanted);
    await terminal.waitForQuiet(400);
  };
  return Object.assign(terminal, { say });
}

/** Control characters other than line ends: a screen reader would read what they redraw. */
function controls(terminal: OpenedTerminal): readonly string[] {
  return terminal.raw().match(/[^\P{Cc}\r\n]/gu) ?? [];
}

describe("the dashboard as lines", () => {
  it("opens, filters, changes and leaves records by numbers and words, and moves no cursor", async () => {
    await using terminal = await openSpoken();
    const { say } = terminal;
    await say("2", /^1\. selected, PA-2026-00042, 1 Quay Street/m);
    await say("filter", /status:open/);
    await say("status:open", /14 of 42|^1\. selected, PA-2026-00042[^]*planning-application, 14/m);
    await say("2", /PA-2026-00039[^]*reference, PA-2026-00039/);
    await say("do an action", /Choose an action for PA-2026-00039/);
    await say("1", /decide: PA-2026-00039/);
    await say("y", /PA-2026-00039[^]*✓/);
    await say("esc", /planning-application/);
    await say("nothing like this", "No row, key or single action is named nothing like this");
    expect(terminal.modes()).toMatchObject({ raw: false, alternateScreen: false });
    terminal.write("q\r");
    expect(await terminal.exitCode).toBe(0);
    expect(controls(terminal)).toEqual([]);
  });

  it("asks the fields of a form one after the other", async () => {
    await using terminal = await openSpoken();
    const { say } = terminal;
    await say("2", /^1\. selected, PA-2026-00042/m);
    await say("create", /reference/);
    await say("PA-2027-1", /PA-2027-1/);
    await say("59 Station Approach", /59 Station Approach/);
    await say(".ctrl+s", /✓ /);
    expect(terminal.text()).toContain("PA-2027-1");
    expect(controls(terminal)).toEqual([]);
  });

  it("draws no picture of a page, and says how to read it", async () => {
    await using terminal = await openSpoken({ profileSettings: { pictures: true } });
    const { say } = terminal;
    await say(".2", /1\. selected, .*\.pdf/);
    await say("read text", /page 1/i);
    await say("picture", "a picture can't be read aloud");
    expect(controls(terminal)).toEqual([]);
  });
});
