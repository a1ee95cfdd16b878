import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keys } from "../support/tty.ts";
import { openFake } from "./support/open-fake.ts";

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 240, rows: 80 },
] as const;

describe.each(sizes)("at $cols x $rows", (size) => {
  it("opens, lists types, opens records, moves, and shows details", async () => {
    await using terminal = openFake({}, size);
    await terminal.waitFor("▸ licence");
    expect(terminal.text()).toContain("northwind-council › planning › resources");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("jjjj");
    await terminal.waitFor("▸ PA-2026-00038");
    terminal.write(keys.enter);
    await terminal.waitFor(/status +• decided/);
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
    await terminal.waitFor("redgnp.exe 👨 new");
    await terminal.waitForQuiet(150);
    expect(terminal.title()).toBe("");
    expect(terminal.raw()).not.toContain("\x1b]0;");
    expect(terminal.raw()).not.toContain("\x1b]52;");
    expect(terminal.raw()).not.toContain("\x1b[2J");
    expect(terminal.raw()).not.toMatch(/[\x07\x80-\x9f\u202a-\u202e]/);
    const border = terminal.screen().filter((line) => line.includes("Quay Street"));
    for (const line of border) expect(line).toMatch(/│$/);
  });
});

describe("records", () => {
  it("sorts by a chosen field and back", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("s");
    await terminal.waitFor("Sort by");
    await terminal.type("refer");
    terminal.write(keys.enter);
    await terminal.waitFor("REFERENCE ↑");
    await terminal.waitFor("▸ PA-2026-00001");
    terminal.write("S");
    await terminal.waitFor("REFERENCE ↓");
    await terminal.waitFor("▸ PA-2026-00042");
  });

  it("filters, says what is wrong while it is typed, and takes the filter away", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("/");
    await terminal.type("stat:x");
    await terminal.waitFor('there is no field "stat"');
    terminal.write(keys.ctrl("u"));
    await terminal.type("status:decided");
    terminal.write(keys.enter);
    await terminal.waitFor("filter status:decided");
    await terminal.waitFor(/planning-application ─ 14 ─/);
    expect(terminal.text()).not.toContain("withdrawn");
    terminal.write(keys.escape);
    await terminal.waitFor(/planning-application ─ 42 ─/);
  });

  it("keeps the filter's letters out of the keys", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("/");
    await terminal.waitFor("filter");
    await terminal.type("q3?:");
    await terminal.waitFor("q3?:");
    expect(terminal.text()).toContain("▸ PA-2026-00042");
  });

  it("pages through ten thousand rows and finds the way home", async () => {
    await using terminal = openFake({ count: 10_000 });
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-10000");
    expect(terminal.text()).toContain("10,000");
    terminal.write("G");
    await terminal.waitFor("▸ PA-2026-00001");
    terminal.write(keys.pageUp);
    await terminal.waitFor((screen) => !screen.includes("PA-2026-00001 "));
    terminal.write("g");
    await terminal.waitFor("▸ PA-2026-10000");
  });

  it("goes back to the row that was left", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("jjj");
    await terminal.waitFor("▸ PA-2026-00039");
    terminal.write("5");
    await terminal.waitFor("ada@northwind.example");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ PA-2026-00039");
  });

  it("deletes only after the slug has been typed", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete PA-2026-00042");
    expect(terminal.text()).toContain("svc resources delete planning-application");
    terminal.write("y");
    terminal.write(keys.enter);
    await terminal.type("planning-applicatio");
    terminal.write(keys.enter);
    await terminal.waitForQuiet(150);
    expect(terminal.text()).toContain("Delete PA-2026-00042");
    terminal.write(keys.ctrl("u"));
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("deleted PA-2026-00042");
    await terminal.waitFor("▸ PA-2026-00041");
  });

  it("says which role a key needs", async () => {
    await using terminal = openFake({ role: "tenant-viewer" });
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("needs the role tenant-staff; yours is tenant-viewer");
  });

  it("copies the command that does the same", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("y");
    await terminal.waitFor("copied: svc resources list planning-application");
    const wanted = Buffer.from("svc resources list planning-application").toString("base64");
    expect(terminal.raw()).toContain(`\x1b]52;c;${wanted}\x07`);
  });
});

describe("documents and jobs", () => {
  it("shows a document's record and reads its text", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("2");
    await terminal.waitFor("▸ plans.pdf");
    await terminal.waitFor("planning-statement 87 %");
    await terminal.waitFor("2026-12-14  (90 %, p. 2)");
    terminal.write("t");
    await terminal.waitFor("page 1 of 3");
    terminal.write("n");
    await terminal.waitFor("Planning statement for 18 Quay Street.");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ plans.pdf");
  });

  it("watches a job's stages and cancels it", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("3");
    await terminal.waitFor("▶ classify 3/12");
    terminal.write("K");
    await terminal.waitFor("was told to stop");
    await terminal.waitFor("⊘ cancelled");
  });

  it("says why a job failed and runs it again", async () => {
    await using terminal = openFake({ jobStatus: "failed" });
    await terminal.waitFor("▸ licence");
    terminal.write("3");
    await terminal.waitFor("The file is not a readable PDF");
    terminal.write("R");
    await terminal.waitFor("runs again");
    await terminal.waitFor("◌ queued");
  });

  it("uploads a file: path, what it belongs to, what to do with it", async () => {
    const directory = await mkdtemp(join(tmpdir(), "svc-ui-"));
    try {
      await writeFile(join(directory, "report.txt"), "hello");
      await using terminal = openFake();
      await terminal.waitFor("▸ licence");
      terminal.write("2");
      await terminal.waitFor("▸ plans.pdf");
      terminal.write("u");
      await terminal.waitFor("Upload a file");
      terminal.write(keys.ctrl("u"));
      terminal.write(keys.paste(`${directory}/`));
      await terminal.waitFor("report.txt");
      terminal.write(keys.enter);
      await terminal.waitFor("What report.txt belongs to");
      await terminal.waitFor("planning-assistant of planning-portal");
      terminal.write(keys.enter);
      await terminal.waitFor("What to do with report.txt");
      terminal.write(keys.enter);
      await terminal.waitFor("✓ accepted report.txt");
      await terminal.waitFor("accepted as DOC-2026-000042");
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe("chat", () => {
  it("streams an answer and opens its source with the quote marked", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    await terminal.type("When does it end?");
    terminal.write(keys.enter);
    await terminal.waitFor("ends on 14 December 2026 [1].");
    await terminal.waitFor("[1] plans.pdf p. 2");
    terminal.write(keys.tab);
    terminal.write(keys.enter);
    await terminal.waitFor("page 2 of 3");
    await terminal.waitFor("The consultation period ends on 14 December 2026.");
    const row = terminal.screen().findIndex((line) => line.includes("consultation period"));
    const column = (terminal.screen()[row] ?? "").indexOf("consultation");
    expect(terminal.cell(row, column).background).not.toBe(-1);
    terminal.write(keys.escape);
    await terminal.waitFor("[1] plans.pdf p. 2");
  });

  it("is stopped by Esc and keeps what was said", async () => {
    await using terminal = openFake({ pauseMs: 400 });
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    await terminal.type("When?");
    terminal.write(keys.enter);
    await terminal.waitFor("The consultation");
    terminal.write(keys.escape);
    await terminal.waitFor("⊘ stopped");
    expect(terminal.text()).toContain("The consultation");
  });

  it("never sends what was pasted", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write(keys.paste("first line\nsecond line\n"));
    await terminal.waitFor("second line");
    await terminal.waitForQuiet(150);
    expect(terminal.text()).not.toContain("Assistant");
    terminal.write(keys.enter);
    await terminal.waitFor("Assistant");
  });

  it("asks about one document", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("2");
    await terminal.waitFor("▸ plans.pdf");
    terminal.write("a");
    await terminal.waitFor("about plans.pdf");
  });
});

describe("finding one's way", () => {
  it("goes anywhere by the palette", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("plan app");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("members");
    terminal.write(keys.enter);
    await terminal.waitFor("ada@northwind.example");
  });

  it("shows every key in the help, those that work here first", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("?");
    await terminal.waitFor("Here and now");
    terminal.write(keys.pageDown);
    await terminal.waitFor("In lists and text");
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
    await terminal.waitFor("northwind-council › planning › resources");
  });

  it("walks the panes by Tab and opens a type from the places", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write(keys.tab);
    terminal.write("jj");
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
      await terminal.waitFor(
        () =>
          (terminal.screen().at(-1) ?? "").includes("? help") &&
          Bun.stringWidth(terminal.screen().at(-2) ?? "") === cols,
      );
      await terminal.waitForQuiet(100);
      const tops = terminal.screen().filter((line) => line.includes("┌ Object Types"));
      expect(tops).toHaveLength(1);
    }
  });
});

describe("with no sign-in or no platform", () => {
  it("leads to a sign-in by browser and goes on", async () => {
    await using terminal = openFake({ signedIn: false });
    await terminal.waitFor("sign in with the browser");
    await terminal.waitFor("● answers");
    terminal.write("b");
    await terminal.waitFor("https://sign.in/authorize");
    await terminal.waitFor("northwind-council › planning › resources");
  });

  it("shows the code of a sign-in elsewhere", async () => {
    await using terminal = openFake({ signedIn: false });
    await terminal.waitFor("sign in with a code");
    terminal.write("d");
    await terminal.waitFor("WDJB-MJHT");
    await terminal.waitFor("northwind-council › planning › resources");
  });

  it("says that nothing answers, and starts a platform", async () => {
    await using terminal = openFake({ signedIn: false, down: true });
    await terminal.waitFor("✗ does not answer");
    terminal.write("l");
    await terminal.waitFor("northwind-council › planning › resources");
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

describe("being quiet", () => {
  it("writes nothing while nothing happens", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    await terminal.waitForQuiet(300);
    const before = terminal.bytesWritten();
    await Bun.sleep(1_500);
    expect(terminal.bytesWritten()).toBe(before);
  });

  it("writes little for one key in a long list", async () => {
    await using terminal = openFake({ count: 10_000 }, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-10000");
    await terminal.waitForQuiet(200);
    const before = terminal.bytesWritten();
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-09999");
    await terminal.waitForQuiet(100);
    expect(terminal.bytesWritten() - before).toBeLessThan(600);
  });
});
