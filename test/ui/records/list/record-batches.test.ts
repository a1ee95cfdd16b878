import { access, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { copied, copyInForm } from "../../support/copied.ts";
import { openOrders, openRecords } from "../../support/open-fake.ts";

/** Exports to a file; returns the copied command, "" for JSON, which has none. */
async function exportAs(terminal: OpenedTerminal, format: string, path: string): Promise<string> {
  terminal.write("x");
  await terminal.waitFor("Export planning-application as");
  await terminal.type(format);
  await terminal.waitFor(new RegExp(`▸ ${format}`));
  terminal.write(keys.enter);
  await terminal.waitFor("A file for");
  const command = format.startsWith("JSON") ? "" : await copied(terminal, copyInForm);
  terminal.write(keys.ctrl("u"));
  await terminal.type(path);
  terminal.write(keys.enter);
  return command;
}

describe("marks", () => {
  it("extend from the last marked row", async () => {
    await using terminal = await openRecords();
    terminal.write(" ");
    await terminal.waitFor("1 marked");
    terminal.write("jjj");
    await terminal.waitFor("▸ PA-2026-00038");
    terminal.write("v");
    await terminal.waitFor("5 marked");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("marked"));
  });

  it("include all filtered records, and can be removed again", async () => {
    await using terminal = await openRecords();
    terminal.write("/");
    await terminal.type("status:decided");
    terminal.write(keys.enter);
    await terminal.waitFor(/planning-application ─ 14 ─/);
    terminal.write("A");
    await terminal.waitFor("14 marked");
    terminal.write("A");
    await terminal.waitFor((screen) => !screen.includes("marked"));
  });

  it("include rows that were not loaded", async () => {
    await using terminal = await openRecords({ count: 1_200 });
    terminal.write("A");
    await terminal.waitFor("1,200 marked");
  });
});

describe("deleting many", () => {
  it("names them, shows the command, and leaves what another user changed since", async () => {
    await using terminal = await openRecords({ changedMeanwhile: true });
    terminal.write("    ");
    await terminal.waitFor("4 marked");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete 4 records");
    await terminal.waitFor("4 records of the type planning-application");
    expect(terminal.text()).toContain("svc resources batch-delete");
    expect(await copied(terminal, copyInForm)).toContain("svc resources batch-delete");
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("PA-2026-00042 was not deleted: it was changed by another user");
    expect(terminal.text()).toContain("deleted 3 records");
    terminal.write(keys.enter);
    await terminal.waitFor(/planning-application ─ 39 ─ 1 marked ─/);
  });

  it("shows the question even if the names leave little room", async () => {
    await using terminal = await openRecords({}, { cols: 40, rows: 15 });
    terminal.write("        ");
    await terminal.waitFor("▸ PA-2026-00034");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete 8 records");
    await terminal.waitFor(/↑ ↓ 1 to \d+ of \d+ lines/);
    expect(terminal.text()).toMatch(/brings them back/);
    terminal.write(keys.down.repeat(40));
    await terminal.waitFor(/↑ ↓ \d+ to (\d+) of \1 lines/);
    expect(terminal.text()).toMatch(/brings them back/);
    expect(terminal.text()).toContain("Type planning-application to do it");
    await terminal.type("planning");
    await terminal.waitFor("› planning");
  });

  it("reports an unknown outcome for a request without a response", async () => {
    const gone = join(await temporaryDirectory("gone"), "down");
    await using terminal = await openRecords({ downWhile: gone });
    terminal.write("    ");
    await terminal.waitFor("4 marked");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete 4 records");
    await terminal.type("planning-application");
    await writeFile(gone, "");
    terminal.write(keys.enter);
    await terminal.waitFor("no deletion is confirmed");
    expect(terminal.text()).toContain(
      "it is unknown whether the 4 records of this request were deleted",
    );
    expect(terminal.text()).not.toContain("nothing was deleted");
  });

  it("sends batches, and Esc stops between two of them", async () => {
    await using terminal = await openRecords({ count: 1_200, batchMs: 700 });
    terminal.write("A");
    await terminal.waitFor("1,200 marked");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("and 1,194 records more");
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("0 of 1,200 records sent for deletion");
    terminal.write(keys.escape);
    await terminal.waitFor("stopping");
    await terminal.waitFor("deleted 500 records");
    await terminal.waitFor("700 records were not sent; they stay marked");
    terminal.write(keys.escape);
    await terminal.waitFor(/planning-application ─ 700 ─ 700 marked ─/);
  });
});

describe("an export", () => {
  it("writes all filtered records, one per line", async () => {
    const folder = await temporaryDirectory("export");
    await using terminal = await openRecords({ hostile: true });
    terminal.write("/");
    await terminal.type("status:open");
    terminal.write(keys.enter);
    await terminal.waitFor(/planning-application ─ 14 ─/);
    const path = join(folder, "open.ndjson");
    await exportAs(terminal, "NDJSON", path);
    await terminal.waitFor("wrote 14 records");
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(14);
    const records = lines.map((line) => JSON.parse(line) as { data: Record<string, string> });
    expect(records.every(({ data }) => data["status"] === "open")).toBe(true);
    // The file on the disk has the stored bytes, control characters and all.
    expect(records[0]?.data["address"]).toContain("\u001b]0;owned\u0007");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["open.ndjson"]);
  });

  it("writes the marked records with the columns of the table", async () => {
    const folder = await temporaryDirectory("export");
    await using terminal = await openRecords();
    terminal.write("  ");
    await terminal.waitFor("2 marked");
    const path = join(folder, "two.csv");
    const command = await exportAs(terminal, "CSV: the table", path);
    expect(command).toMatch(/resources list planning-application --all --where .*\$in.*--columns /);
    await terminal.waitFor("wrote 2 records");
    const [head, first, second, end] = (await readFile(path, "utf8")).split("\r\n");
    expect(head).toBe("reference,address,status,amount,officer,updated_at");
    expect(first).toMatch(/^PA-2026-00042,1 Quay Street,open,0,m\.okafor,/);
    expect(second).toMatch(/^PA-2026-00041,/);
    expect(end).toBe("");
  });

  it("asks before it replaces a file, with its local time", async () => {
    const folder = await temporaryDirectory("export");
    const path = join(folder, "mine.json");
    await writeFile(path, "mine");
    const written = new Date("2026-11-20T12:30:00Z");
    await utimes(path, written, written);
    await using terminal = await openRecords({}, { env: { TZ: "Pacific/Auckland" } });
    await exportAs(terminal, "JSON: one", path);
    await terminal.waitFor("Replace this file");
    expect(terminal.text()).toContain("its content is lost");
    // The line is folded where the folder's name wants it.
    expect(terminal.text()).toMatch(/2026-11-21(?: |.*\n.*)01:30/);
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes("Replace this file"));
    expect(await readFile(path, "utf8")).toBe("mine");
    await exportAs(terminal, "JSON: one", path);
    await terminal.waitFor("Replace this file");
    terminal.write("y");
    await terminal.waitFor("wrote 42 records");
    expect(JSON.parse(await readFile(path, "utf8"))).toHaveLength(42);
  });

  it.each([
    ["stopped by Esc", keys.escape],
    ["left by Ctrl-C", keys.ctrl("c")],
  ])("leaves no file when it is %s", async (_how, key) => {
    const folder = await temporaryDirectory("export");
    await using terminal = await openRecords({ count: 20_000, listMs: 50 });
    await exportAs(terminal, "NDJSON", join(folder, "all.ndjson"));
    await terminal.waitFor(/\d of 20,000 records written/);
    terminal.write(key);
    if (key === keys.escape) await terminal.waitFor("stopped; no file was written");
    else expect(await terminal.exitCode).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it("reports that no file was written if the platform stops", async () => {
    const folder = await temporaryDirectory("export");
    const downWhile = join(await temporaryDirectory("down"), "down");
    await using terminal = await openRecords({ count: 20_000, listMs: 50, downWhile });
    const path = join(folder, "all.ndjson");
    await exportAs(terminal, "NDJSON", path);
    await terminal.waitFor(/\d of 20,000 records written/);
    await writeFile(downWhile, "");
    // The line is folded where the folder's name wants it.
    await terminal.waitFor("The connection failed");
    for (const word of ["all.ndjson", "not", "written:"]) expect(terminal.text()).toContain(word);
    expect(await readdir(folder)).toEqual([]);
  });

  it("reports why a path can't be used, and keeps the typed path", async () => {
    const folder = await temporaryDirectory("export");
    await using terminal = await openRecords();
    const missing = join(folder, "missing", "records.json");
    await exportAs(terminal, "JSON: one", missing);
    await terminal.waitFor("nothing can be saved there: its folder does not exist");
    await expect(access(join(folder, "missing"))).rejects.toThrow("ENOENT");
    terminal.write(keys.ctrl("u"));
    terminal.write("/dev/null");
    terminal.write(keys.enter);
    await terminal.waitFor("nothing can be saved there: it is not a file");
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
    terminal.write(keys.ctrl("u"));
    terminal.write(`${join(folder, "new")}/`);
    terminal.write(keys.enter);
    await terminal.waitFor("nothing can be saved there: there is no such folder");
    expect(await readdir(folder)).toEqual([]);
    terminal.write(keys.ctrl("u"));
    terminal.write(`${folder}/`);
    terminal.write(keys.enter);
    await terminal.waitFor("wrote 42 records");
    expect(await readdir(folder)).toHaveLength(1);
  });
});

describe("an action on many", () => {
  it("is executed for each marked record, and names and keeps those that are refused", async () => {
    await using terminal = await openRecords();
    // Two of them are open.
    terminal.write("      ");
    await terminal.waitFor("6 marked");
    terminal.write("d");
    await terminal.waitFor("Choose an action for 6 marked records");
    await terminal.waitFor("open → decided");
    terminal.write(keys.enter);
    await terminal.waitFor("decide: 6 records");
    expect(terminal.text()).toContain("PA-2026-00037");
    terminal.write("y");
    await terminal.waitFor("decide: 2 records");
    expect(terminal.text()).toContain("4 records not done, still marked:");
    for (const name of ["PA-2026-00041", "PA-2026-00040", "PA-2026-00038", "PA-2026-00037"]) {
      expect(terminal.text()).toMatch(new RegExp(`${name}: .*status`));
    }
    const colourAt = (text: string): unknown => {
      const row = terminal.screen().findIndex((line) => line.includes(text));
      return terminal.cell(row, terminal.screen()[row]?.indexOf(text) ?? 0).foreground;
    };
    // The done ones have not the colour of a failure.
    expect(terminal.text()).toContain("✓ PA-2026-00042");
    expect(colourAt("✓ PA-2026-00042")).not.toEqual(colourAt("4 records not done"));
    terminal.write(keys.enter);
    await terminal.waitFor("4 marked");
    await terminal.waitFor(/PA-2026-00042.*✓ decided/);
  });

  it("with parameters reports only what was done", async () => {
    await using terminal = await openOrders({ meanwhile: "change" });
    terminal.write(" ");
    await terminal.waitFor("1 marked");
    terminal.write("d");
    await terminal.waitFor("Choose an action for 1 marked record");
    terminal.write(keys.enter);
    await terminal.waitFor("reason *");
    await terminal.type("All is paid");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("y yes");
    expect(terminal.text()).toContain("svc publicapi post");
    terminal.write("y");
    await terminal.waitFor("1 record not done, still marked:");
    expect(terminal.text()).toContain("Decide: 0 records");
    expect(terminal.text()).not.toContain("✓ Decide");
  });

  it("has an outcome that is scrolled when it is long", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    terminal.write("A");
    await terminal.waitFor("42 marked");
    terminal.write("d");
    await terminal.waitFor("Choose an action for 42 marked records");
    terminal.write(keys.enter);
    await terminal.waitFor("y yes");
    terminal.write("y");
    await terminal.waitFor("28 records not done, still marked:");
    expect(terminal.text()).not.toContain("PA-2026-00001");
    terminal.write(keys.down.repeat(80));
    await terminal.waitFor("PA-2026-00001");
    terminal.write(keys.enter);
    await terminal.waitFor("28 marked");
  });

  it.each(["e", "u", "Y"])("%s says that it is about one record", async (key) => {
    await using terminal = await openRecords();
    terminal.write("  ");
    await terminal.waitFor("2 marked");
    terminal.write(key);
    await terminal.waitFor("works on one record, and 2 are marked: esc unmarks them");
  });

  it("the copied command reads the marked records", async () => {
    await using terminal = await openRecords();
    terminal.write("  ");
    await terminal.waitFor("2 marked");
    const command = await copied(terminal);
    expect(command).toMatch(/--where '\{"id":\{"\$in":\["[^"]+","[^"]+"\]\}\}'/);
  });
});
