import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys } from "../../support/tty.ts";
import { copied } from "../support/copied.ts";
import { openFake, openRecords } from "../support/open-fake.ts";

describe("the search", () => {
  it("finds records of all types, marks the words, and opens one", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("f");
    await terminal.waitFor("Search all types");
    await terminal.waitFor("type at least two letters");
    await terminal.type("17 quay");
    await terminal.waitFor("1 found");
    const command = await copied(terminal, keys.ctrl("y"));
    expect(command).toContain("svc resources search '17 quay' --mode hybrid");
    await terminal.waitFor(
      /▸ PA-2026-00026 {2}planning-application +0\.059 {2}text 2\.500 {2}vector 0\.500/,
    );
    const row = terminal.screen().findIndex((line) => line.includes("… 17 Quay"));
    const column = terminal.screen()[row]?.indexOf("17 Quay") ?? 0;
    expect(terminal.cell(row, column).background).not.toBe(-1);
    expect(terminal.cell(row, column - 2).background).toBe(-1);
    terminal.write(keys.enter);
    await terminal.waitFor((screen) => !screen.includes("Search all types"));
    await terminal.waitFor(/reference +PA-2026-00026/);
    // Back to the list before the search.
    terminal.write(keys.escape);
    await terminal.waitFor("▸ licence");
  });

  it("finds passages of documents, and opens the page with the quote", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("f");
    await terminal.waitFor("⇧tab documents");
    terminal.write("\u001b[Z");
    await terminal.waitFor("Search documents");
    await terminal.type("consultation");
    await terminal.waitFor(/▸ plans\.pdf, page 2 +3\.250 {2}text 3\.250 {2}vector –/);
    terminal.write(keys.enter);
    await terminal.waitFor((screen) => !screen.includes("Search documents"));
    await terminal.waitFor("The consultation period ends on 14 December 2026.");
    await terminal.waitFor("No trees are to be felled.");
  });

  it("begins with documents where they are listed", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("2");
    await terminal.waitFor("plans.pdf");
    terminal.write("f");
    await terminal.waitFor("Search documents");
    await terminal.waitFor("⇧tab all types");
  });

  it("continues at the result that was opened", async () => {
    await using terminal = openFake({}, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ licence");
    terminal.write("f");
    await terminal.type("quay");
    await terminal.waitFor("42 found");
    terminal.write(keys.down.repeat(20));
    await terminal.waitFor("▸ PA-2026-00022");
    terminal.write(keys.enter);
    await terminal.waitFor(/reference +PA-2026-00022/);
    terminal.write(keys.escape);
    await terminal.waitFor("▸ licence");
    terminal.write("f");
    await terminal.waitFor("▸ PA-2026-00022");
    await terminal.type(" street");
    await terminal.waitFor("▸ PA-2026-00042");
  });

  it("shows the count and the records on a narrow screen too", async () => {
    await using terminal = await openRecords({}, { cols: 40, rows: 15 });
    terminal.write("f");
    await terminal.waitFor("hybrid (tab another) · type at least");
    await terminal.type("nowhere");
    await terminal.waitFor("hybrid (tab another) · 0 found");
    terminal.write(keys.ctrl("u"));
    await terminal.type("quay");
    await terminal.waitFor("hybrid (tab another) · 42 found");
    expect(terminal.text()).toMatch(/▸ PA-2026-00042 +1\.000/);
  });

  it("changes the mode, and from one type to all", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    terminal.write("f");
    await terminal.waitFor("Search planning-application");
    await terminal.type("quay");
    await terminal.waitFor("42 found");
    expect(terminal.text()).toContain("hybrid (tab another)");
    expect(terminal.text()).toContain("vectors: hashed");
    terminal.write(keys.tab);
    await terminal.waitFor("fulltext (tab another)");
    terminal.write(keys.tab);
    await terminal.waitFor("vector (tab another)");
    // Keys that come before the screen has changed.
    terminal.write(keys.tab + keys.tab);
    await terminal.waitFor("fulltext (tab another)");
    terminal.write(keys.tab);
    await terminal.waitFor("vector (tab another)");
    await terminal.waitFor("text –  vector 0.500");
    terminal.write(keys.backTab);
    await terminal.waitFor("Search all types");
    terminal.write(keys.down);
    await terminal.waitFor(/▸ PA-2026-00041 {2}planning-application/);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Search all types"));
    // The typed text is kept.
    terminal.write("f");
    await terminal.waitFor("› quay");
  });

  it("waits for a second letter, and takes one Chinese or Japanese character as a word", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("f");
    await terminal.waitFor("type at least two letters");
    await terminal.type("q");
    await terminal.waitFor("› q");
    expect(terminal.text()).toContain("type at least two letters");
    terminal.write(keys.backspace);
    await terminal.type("桜");
    await terminal.waitFor("0 found");
  });

  it("searches for the beginning of a text that is too long, and says so", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    terminal.write("f");
    await terminal.waitFor("Search planning-application");
    terminal.write("quay ".repeat(150));
    await terminal.waitFor(/its first 500 characters · \d+ found/);
  });

  it("retries a failed search by itself, and opens nothing meanwhile", async () => {
    const busyWhile = join(await temporaryDirectory("search"), "busy");
    await using terminal = openFake({ busyWhile });
    await terminal.waitFor("▸ licence");
    terminal.write("f");
    await terminal.waitFor("Search all types");
    await terminal.type("quay");
    await terminal.waitFor("42 found");
    await writeFile(busyWhile, "");
    await terminal.type(" street");
    await terminal.waitFor("✗ E203");
    await terminal.waitFor("↵ tries again");
    terminal.write(keys.enter);
    await terminal.waitForQuiet(150);
    await terminal.waitFor("✗ E203");
    expect(terminal.text()).toContain("Search all types");
    await rm(busyWhile);
    await terminal.waitFor("▸ PA-2026");
    expect(terminal.text()).toContain("› quay street");
  });

  it("shows the fault of a search", async () => {
    await using terminal = await openRecords();
    terminal.write("f");
    await terminal.waitFor("Search planning-application");
    await terminal.type("fault");
    await terminal.waitFor("E302");
    await terminal.waitFor("query: has no words");
    terminal.write(keys.ctrl("u"));
    await terminal.type("nowhere");
    await terminal.waitFor("0 found");
  });

  it("draws hostile records harmlessly", async () => {
    await using terminal = await openRecords({ hostile: true });
    terminal.write("f");
    await terminal.waitFor("Search planning-application");
    await terminal.type("gnp");
    await terminal.waitFor("1 found");
    await terminal.waitFor("redgnp.exe");
    expect(terminal.title()).not.toContain("owned");
  });
});
