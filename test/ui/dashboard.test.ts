import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys } from "../support/tty.ts";
import { choose, openFake, openRecords } from "./support/open-fake.ts";

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 240, rows: 80 },
] as const;

describe.each(sizes)("at $cols x $rows", (size) => {
  it("opens, lists types, opens records, moves, and shows details", async () => {
    await using terminal = openFake({}, size);
    await terminal.waitFor("▸ licence");
    await terminal.waitFor("northwind-council › planning › resources");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("jjjj");
    await terminal.waitFor("▸ PA-2026-00038");
    terminal.write(keys.enter);
    await terminal.waitFor(/status +✓ decided/);
    expect(terminal.text()).toContain("5 Quay Street");
    terminal.write("]");
    await terminal.waitFor('"reference": "PA-2026-00038"');
    terminal.write(keys.escape);
    await terminal.waitFor("▸ PA-2026-00038");
  });

  it("fills the screen and not a column more", async () => {
    await using terminal = openFake({}, size);
    await terminal.waitFor("▸ licence");
    await terminal.waitForQuiet(150);
    const lines = terminal.screen();
    expect(lines).toHaveLength(size.rows);
    expect(lines.at(-2)).toMatch(/┘$/);
    expect(Bun.stringWidth(lines.at(-2) ?? "")).toBe(size.cols);
    expect(lines.at(-1)).toContain("? help");
  });

  it("shows hostile text harmlessly", async () => {
    await using terminal = openFake({ hostile: true }, size);
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("redgnp.exe");
    await terminal.waitForQuiet(150);
    expect(terminal.title()).toBe("northwind-council › planning › planning-application · svc");
    expect(terminal.raw()).not.toContain("\x1b]0;");
    expect(terminal.raw()).not.toContain("\x1b]52;");
    expect(terminal.raw()).not.toContain("\x1b[2J");
    expect(terminal.raw()).not.toMatch(/[\x07\x80-\x9f\u202a-\u202e]/);
    const border = terminal.screen().filter((line) => line.includes("Quay Street"));
    for (const line of border) expect(line).toMatch(/│$/);
  });
});

describe("navigation", () => {
  it("goes anywhere by the palette", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    await choose(terminal, ":", "Go to, or do", "plan app");
    await terminal.waitFor("▸ PA-2026-00042");
    await choose(terminal, ":", "Go to, or do", "members");
    await terminal.waitFor("ada@northwind.example");
  });

  it("shows every key in the help, those that work here first", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("?");
    await terminal.waitFor("Here and now");
    terminal.write(keys.pageDown);
    await terminal.waitFor("In lists and text");
    terminal.write("G");
    await terminal.waitFor("put this program in the background");
    terminal.write("g");
    await terminal.waitFor("Here and now");
    terminal.write("jj");
    await terminal.waitFor((screen) => !screen.includes("Here and now"));
    terminal.write("kk");
    await terminal.waitFor("Here and now");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ licence");
  });

  it("shows the workspaces as a tree and opens one", async () => {
    await using terminal = openFake({ workspace: false });
    await terminal.waitFor("▾ northwind-council");
    expect(terminal.text()).toMatch(/ {4}planning/);
    terminal.write("h");
    await terminal.waitFor("▸ northwind-council");
    terminal.write("l");
    await terminal.waitFor("▾ northwind-council");
    terminal.write("j");
    terminal.write(keys.enter);
    await terminal.waitFor("northwind-council › planning › home");
  });

  it("walks the panes by Tab and opens a type from the places", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write(keys.tab);
    terminal.write("jjj");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
  });

  it("shows the platform's health in small tables", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("6");
    await terminal.waitFor("the platform is ok");
    await terminal.waitFor(/│ database +│ ● ok +│ SQLite/);
  });

  it("shows the platform's health whole on a small screen", async () => {
    await using terminal = openFake({}, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ licence");
    terminal.write("6");
    await terminal.waitFor("the platform is ok");
    await terminal.waitFor(/database +│ ● ok +│ SQLite/);
    for (const fact of [
      "platform ",
      "runs ",
      "version ",
      "signed in as ",
      "profile ",
      "workspace ",
    ]) {
      expect(terminal.text()).toContain(`│ ${fact}`);
    }
    // No rule stands where a row was squeezed away.
    expect(terminal.text()).not.toMatch(/├[─┼]+┤.*\n.*├[─┼]+┤/);
    // The parts are still lines where there is no space for rules.
    terminal.resize(80, 12);
    await terminal.waitFor(/│ database +● ok +SQLite/);
    await terminal.waitFor((screen) => !screen.includes("workspace ") && screen.includes("↓│"));
    terminal.write("G");
    await terminal.waitFor("Notices and commands");
  });

  it("offers in the palette what is learned after it was opened", async () => {
    const blocker = join(await temporaryDirectory("palette"), "blocker");
    await writeFile(blocker, "");
    await using terminal = openFake({ workspacesWaitFor: blocker });
    await terminal.waitFor("▸ licence");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("licensing");
    await terminal.waitFor("no choice has these letters");
    await rm(blocker);
    await terminal.waitFor(/▸ licensing +workspace/);
  });

  it("draws right after being made smaller and larger", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    for (const [cols, rows] of [
      [80, 24],
      [200, 50],
      [100, 30],
      [60, 15],
      [120, 40],
    ] as const) {
      terminal.resize(cols, rows);
      await terminal.waitFor(() => {
        const lines = terminal.screen();
        return (
          (lines.at(-1) ?? "").includes("? help") &&
          Bun.stringWidth(lines.at(-2) ?? "") === cols &&
          lines.filter((line) => line.includes("┌ Object Types")).length === 1
        );
      });
    }
  });
});

it("draws right after 400 changes of its size", async () => {
  await using terminal = openFake();
  await terminal.waitFor("▸ licence");
  const isWhole = (cols: number) => () => {
    const lines = terminal.screen();
    return (lines.at(-1) ?? "").includes("? help") && Bun.stringWidth(lines.at(-2) ?? "") === cols;
  };
  for (let change = 1; change <= 400; change += 1) {
    const [cols, rows] = [40 + ((change * 37) % 200), 12 + ((change * 17) % 60)];
    terminal.resize(cols, rows);
    if (change % 40 === 0) await terminal.waitFor(isWhole(cols));
    else await Bun.sleep(2);
  }
});

describe("the answer of a terminal", () => {
  // The colour of its background, its name, what it can do: perhaps to the program before this one.
  it.each([
    ["an operating system command", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"],
    ["one that ends by BEL", "\x1b]10;rgb:ffff/ffff/ffff\x07"],
    ["a device control string", "\x1bP>|xterm(388)\x1b\\"],
    ["an application program command", "\x1b_Gi=31;OK\x1b\\"],
    ["device attributes", "\x1b[?62;22c"],
  ])("is not read as keys: %s", async (_name, answer) => {
    await using terminal = await openRecords();
    expect(terminal.text()).toContain("[fields]");
    terminal.write(`${answer}j`);
    await terminal.waitFor("▸ PA-2026-00041");
    expect(terminal.text()).toContain("[fields]");
    expect(terminal.text()).not.toContain("Go to, or do");
    terminal.write(`j${answer}`);
    await terminal.waitFor("▸ PA-2026-00040");
    await terminal.waitForQuiet(150);
    expect(terminal.text()).toContain("▸ PA-2026-00040");
    expect(terminal.text()).toContain("[fields]");
  });

  it("is read to its end where it comes in two pieces", async () => {
    await using terminal = await openRecords();
    terminal.write("j\x1b]11;rgb:1e1e");
    terminal.write("/1e1e/2e2e\x1b");
    terminal.write("\\j");
    await terminal.waitFor("▸ PA-2026-00040");
    expect(terminal.text()).toContain("[fields]");
  });

  it("is distinguished from keys that begin like it", async () => {
    await using terminal = await openRecords();
    terminal.write("]");
    await terminal.waitFor("[json]");
    // Alt with that key, and the key pressed immediately after it.
    terminal.write("\x1b]\x1b[B");
    await terminal.waitFor("▸ PA-2026-00041");
    terminal.write("\x1b]");
    await terminal.waitForQuiet(150);
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-00040");
  });
});

describe("being quiet", () => {
  it("writes nothing while nothing happens", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    // Failures are read once, shortly after the first screen.
    await terminal.waitFor(/Apps +\d ✗[\s\S]+Webhooks +2 ✗/);
    await terminal.waitForQuiet(300);
    const before = terminal.bytesWritten();
    await Bun.sleep(1_500);
    expect(terminal.bytesWritten()).toBe(before);
  });

  it("writes little for one key in a long list", async () => {
    await using terminal = await openRecords({ count: 10_000 }, { cols: 80, rows: 24 });
    await terminal.waitForQuiet(200);
    const before = terminal.bytesWritten();
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-09999");
    await terminal.waitForQuiet(100);
    expect(terminal.bytesWritten() - before).toBeLessThan(600);
  });
});
