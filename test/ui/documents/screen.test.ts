import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

/** A place of the workspace by its number, with what is drawn there first. */
async function openPlace(number: string, drawn: string, wish: Wish = {}): Promise<OpenedTerminal> {
  const terminal = openFake(wish);
  await terminal.waitFor("▸ licence");
  terminal.write(number);
  await terminal.waitFor(drawn);
  return terminal;
}

/** Where the screen has a text. */
function placeOf(terminal: OpenedTerminal, text: string): { row: number; column: number } {
  const lines = terminal.screen();
  const row = lines.findIndex((line) => line.includes(text));
  return { row, column: lines[row]?.indexOf(text) ?? -1 };
}

/** Uploads a report of 5 bytes, to the only workflow that there is. */
async function sendReport(terminal: OpenedTerminal): Promise<void> {
  const directory = await temporaryDirectory("uploads");
  await writeFile(join(directory, "report.txt"), "hello");
  terminal.write("u");
  await terminal.waitFor("Upload a file");
  terminal.write(keys.ctrl("u"));
  terminal.write(keys.paste(`${directory}/`));
  await terminal.waitFor("report.txt");
  terminal.write(keys.enter);
}

describe("documents and jobs", () => {
  it("shows a document's record and reads its text", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf");
    await terminal.waitFor("planning-statement 87 %");
    await terminal.waitFor("2026-12-14  (90 %, p. 2, to review)");
    terminal.write("t");
    await terminal.waitFor("page 1 of 3");
    terminal.write("n");
    await terminal.waitFor("Planning statement for 18 Quay Street.");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ plans.pdf");
  });

  it("marks the fields on the page, and the selected one as a quote", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf");
    await terminal.waitFor("█████████░  87 %");
    terminal.write("t");
    await terminal.waitFor("page 1 of 3");
    await terminal.waitFor("Label and fields ─ 2 ─ 1 to review");
    terminal.write("n");
    await terminal.waitFor("14 December 2026");
    const at = placeOf(terminal, "14 December 2026");
    expect(terminal.cell(at.row, at.column)).toMatchObject({ underline: true });
    terminal.write(keys.tab);
    await terminal.waitFor("▸ label");
    terminal.write("j");
    await terminal.waitFor("▸ deadline");
    await terminal.waitForQuiet(100);
    const quoted = placeOf(terminal, "14 December 2026");
    expect(terminal.cell(quoted.row, quoted.column).background).not.toBe(-1);
    expect(terminal.cell(quoted.row, quoted.column - 2).background).toBe(-1);
  });

  it("reviews by keys, those first that need it, with the quote on its page", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf");
    terminal.write("V");
    await terminal.waitFor("page 2 of 3");
    await terminal.waitFor(/▸ deadline +2026-12-14 +█████████░ +90 % of 95 % +▲ to review +2/);
    terminal.write("A");
    await terminal.waitFor("accepted fields.deadline of plans.pdf");
    terminal.write("e");
    await terminal.waitFor("the document does not have it");
    await terminal.type("another");
    terminal.write(keys.enter);
    await terminal.waitFor("The value as the document has it");
    terminal.write(`${keys.ctrl("u")}${keys.paste("2026-12-15")}${keys.enter}`);
    await terminal.waitFor("corrected fields.deadline of plans.pdf");
    terminal.write("k");
    await terminal.waitFor("▸ label");
    terminal.write("e");
    await terminal.waitFor("The right label of plans.pdf");
    await terminal.type("letter");
    await terminal.waitFor("▸ letter");
    terminal.write(keys.enter);
    await terminal.waitFor("corrected label of plans.pdf");
  });

  it("lists the reviews of all documents, and opens one where it is", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf");
    terminal.write("Q");
    await terminal.waitFor("Reviews ─ 1 ─ oldest first");
    await terminal.waitFor(/▸ plans\.pdf +deadline +2026-12-14 +█████████░ +90 % of 95 %/);
    terminal.write("A");
    await terminal.waitFor("accepted fields.deadline of plans.pdf");
    terminal.write(keys.enter);
    await terminal.waitFor("page 2 of 3");
    await terminal.waitFor("▸ deadline");
    terminal.write(keys.escape);
    await terminal.waitFor("Reviews ─ 1");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ plans.pdf");
  });

  it("goes from a review to the next one, and from a document to the next one", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf", { reviewQueue: true });
    terminal.write("Q");
    await terminal.waitFor("Reviews ─ 3 ─ oldest first");
    await terminal.waitFor("▸ plans.pdf  label");
    terminal.write(keys.enter);
    await terminal.waitFor("Label and fields ─ 2 ─ 2 to review");
    await terminal.waitFor("▸ label");
    terminal.write("A");
    // The next field is selected with the page that has it.
    await terminal.waitFor("▸ deadline");
    await terminal.waitFor("page 2 of 3");
    await terminal.waitFor("1 to review");
    terminal.write("A");
    await terminal.waitFor("none to review, V next document");
    terminal.write("V");
    await terminal.waitFor("later.pdf ─ page");
    await terminal.waitFor("▸ deadline");
    terminal.write("A");
    await terminal.waitFor("none to review, V next document");
    await terminal.waitFor("accepted fields.deadline of later.pdf");
    terminal.write("V");
    await terminal.waitFor("No other document is to review");
    terminal.write(keys.escape);
    await terminal.waitFor("Nothing is to review");
  });

  it("lets a viewer not review", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf", { role: "tenant-viewer" });
    terminal.write("V");
    await terminal.waitFor("needs the role tenant-staff; yours is tenant-viewer");
  });

  it("offers the next page of a page without text, if there is one", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf", { scanned: true });
    terminal.write("t");
    await terminal.waitFor("page 1 of 3");
    await terminal.waitFor("n next page, esc back");
    terminal.write("nn");
    await terminal.waitFor("page 3 of 3");
    await terminal.waitFor(/This page has no text\. .*\n.*│ +esc back +│/);
    terminal.write("ppp");
    await terminal.waitFor("page 1 of 3");
  });

  it("says who added a document, and when", async () => {
    await using terminal = openFake({}, { rows: 60 });
    await terminal.waitFor("▸ licence");
    terminal.write("2");
    await terminal.waitFor("2026-11-20T10:00:00.000Z  by ada@northwind.example");
  });

  it("watches a job's stages and cancels it", async () => {
    await using terminal = await openPlace("3", "▶classify 3/12");
    terminal.write("K");
    await terminal.waitFor("Cancel the job of plans.pdf");
    terminal.write("y");
    await terminal.waitFor("is stopping");
    await terminal.waitFor("⊘ cancelled");
  });

  it("opens the text of a job's document, or reports that there is none", async () => {
    await using reading = await openPlace("3", "t read text");
    reading.write("t");
    await reading.waitFor("page 1 of 3");
    await using failed = await openPlace("3", "▸ plans.pdf", { jobStatus: "failed" });
    await failed.waitFor("R retry");
    expect(failed.text()).not.toContain("t read text");
    failed.write("t");
    await failed.waitFor("read text: no text has been extracted from it");
  });

  it("shows why a job failed and retries it", async () => {
    await using terminal = await openPlace("3", "The file is not a readable PDF", {
      jobStatus: "failed",
    });
    terminal.write("R");
    await terminal.waitFor("runs again");
    await terminal.waitFor("◌ queued");
  });

  it("uploads a file and shows that it was accepted", async () => {
    await using terminal = await openPlace("2", "▸ plans.pdf");
    await sendReport(terminal);
    await terminal.waitFor("✓ accepted report.txt");
    await terminal.waitFor("accepted as DOC-2026-000042; its job is in the list");
  });

  it("sends a refused file again without asking for its context again", async () => {
    await using terminal = await openPlace("3", "▶classify 3/12", { refusedUploads: 1 });
    await sendReport(terminal);
    await terminal.waitFor("✗ not sent report.txt 5 B E203");
    terminal.write("U");
    await terminal.waitFor("✓ accepted report.txt");
    await terminal.waitFor("accepted as DOC-2026-000042; its job is in the list");
    expect(terminal.text()).not.toContain("✗ not sent");
  });

  it("stops an upload", async () => {
    await using terminal = await openPlace("3", "▶classify 3/12", { stuck: true });
    await sendReport(terminal);
    await terminal.waitFor("▶ sending report.txt");
    await terminal.waitFor("X stop the upload");
    terminal.write("X");
    await terminal.waitFor("stopped report.txt");
    await terminal.waitFor("⊘ stopped report.txt");
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
  });

  it("takes the path of a dropped file, and refuses a path without a file", async () => {
    const directory = await temporaryDirectory("uploads");
    await writeFile(join(directory, "it's a plan.txt"), "hello");
    await using terminal = await openPlace("2", "▸ plans.pdf");
    terminal.write("u");
    await terminal.waitFor("Upload a file");
    terminal.write(keys.paste(`${directory}/gone.txt`));
    await terminal.waitFor("there is no such file here");
    terminal.write(keys.enter);
    await terminal.waitForQuiet(150);
    expect(terminal.text()).toContain("there is no such file here");
    terminal.write(keys.ctrl("u"));
    await terminal.type("/no/such");
    await terminal.waitFor("There is no such folder");
    terminal.write(keys.enter);
    await terminal.waitForQuiet(150);
    expect(terminal.text()).toContain("There is no such folder");
    terminal.write(keys.paste(`/'${directory}/it'\\''s a plan.txt' `));
    await terminal.waitFor("▸ it's a plan.txt");
    terminal.write("\x1b[Z");
    await terminal.waitFor("Choose a context for it's a plan.txt");
    await terminal.waitFor("planning-assistant of planning-portal");
    terminal.write(keys.enter);
    await terminal.waitFor("Choose how to process it's a plan.txt");
    await terminal.type("store");
    terminal.write(keys.enter);
    await terminal.waitFor("› jobs");
    // The next file goes the same way without a question.
    terminal.write("u");
    await terminal.waitFor("to planning-assistant of planning-portal · store_only");
  });

  it("asks before it quits during an upload", async () => {
    await using terminal = await openPlace("3", "▶classify 3/12", { stuck: true });
    await sendReport(terminal);
    await terminal.waitFor("▶ sending report.txt");
    terminal.write("q");
    await terminal.waitFor("Quit before all has been sent");
    await terminal.waitFor(/report\.txt: .* of 5 B have been sent/);
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes("Quit before"));
    expect(terminal.text()).toContain("▶ sending report.txt");
    terminal.write("q");
    await terminal.waitFor("Quit before all has been sent");
    terminal.write("y");
    expect(await terminal.exitCode).toBe(0);
  });
});
