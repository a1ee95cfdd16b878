import { rm, writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys } from "../../support/tty.ts";
import { openFake } from "../support/open-fake.ts";

describe("chat", () => {
  it("streams an answer and opens its source with the quote marked", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write("i");
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

  it("lists a conversation as soon as it is stored", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write(keys.ctrl("o"));
    await terminal.waitFor("No conversation is stored yet");
    terminal.write("i");
    await terminal.type("When does it end?");
    terminal.write(keys.enter);
    await terminal.waitFor("[1] plans.pdf p. 2");
    terminal.write(keys.ctrl("o"));
    await terminal.waitFor("▸ ✓ the question");
  });

  it("pages through conversations, and loads older messages as one scrolls", async () => {
    await using terminal = openFake({ conversations: 120, messages: 1_002 });
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write(keys.ctrl("o"));
    await terminal.waitFor("▸ conversation 1 ");
    await terminal.type("120");
    await terminal.waitFor("▸ conversation 120");
    terminal.write(keys.enter);
    await terminal.waitFor("message 1002");
    await terminal.waitFor("i writes a question");
    const toFirst = () => {
      terminal.write("g");
      return terminal.text();
    };
    await expect.poll(toFirst, { timeout: 15_000 }).toMatch(/message 1 .*\n.*\n.*\n.*message 2 /);
    terminal.write("G");
    await terminal.waitFor("message 1002");
  });

  it("is stopped by Esc and keeps the partial answer", async () => {
    const requestsTo = join(await temporaryDirectory("chat"), "requests");
    await using terminal = openFake({ pauseMs: 400, requestsTo });
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write("i");
    await terminal.type("When?");
    terminal.write(keys.enter);
    await terminal.waitFor("The consultation");
    terminal.write(keys.escape);
    await terminal.waitFor("⊘ stopped");
    expect(terminal.text()).toContain("The consultation");
    // The platform would write on without a reader.
    await expect
      .poll(() => readFile(requestsTo, "utf8"), { timeout: 10_000 })
      .toMatch(/\/v4\/ai\/chat\/[0-9a-f-]+\/conversations\/[0-9a-f-]+\/stop\n/);
  });

  it("never sends a pasted text", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write("i");
    terminal.write(keys.paste("first line\nsecond line\n"));
    await terminal.waitFor("second line");
    await terminal.waitForQuiet(150);
    expect(terminal.text()).not.toContain("Assistant");
    terminal.write(keys.enter);
    await terminal.waitFor("Assistant");
  });

  it("never sends a text that was pasted without brackets", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write("i");
    await terminal.waitFor(/› +a question/);
    terminal.write("first line\rsecond line\rthird");
    await terminal.waitFor(/› first line *│*\n.*second line *│*\n.*third/);
    await terminal.waitForQuiet(150);
    expect(terminal.text()).not.toContain("Assistant");
  });

  it("names the reason of missing workflows", async () => {
    const downWhile = join(await temporaryDirectory("chat"), "down");
    await using terminal = openFake({ downWhile });
    await terminal.waitFor("▸ licence");
    await writeFile(downWhile, "");
    terminal.write("4");
    await terminal.waitFor("no workflow chosen");
    terminal.write("i");
    await terminal.type("When does it end?");
    terminal.write(keys.enter);
    await terminal.waitFor("The workflows could not be listed: E201");
    await terminal.waitFor("workflow-key");
  });

  it("brings an earlier question back, so that one that failed is asked again", async () => {
    const downWhile = join(await temporaryDirectory("chat"), "down");
    await using terminal = openFake({ downWhile });
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("planning-assistant");
    terminal.write("i");
    await terminal.type("When does it end?");
    await writeFile(downWhile, "");
    terminal.write(keys.enter);
    await terminal.waitFor("✗ E201");
    await terminal.waitFor("a question; ↑ brings the last one back");
    await rm(downWhile);
    await terminal.type("not asked yet");
    terminal.write(keys.up);
    await terminal.waitFor("› When does it end?");
    terminal.write(keys.down);
    await terminal.waitFor("› not asked yet");
    terminal.write(keys.up);
    await terminal.waitFor("› When does it end?");
    terminal.write(keys.enter);
    await terminal.waitFor("ends on 14 December 2026 [1].");
  });

  it("asks about one document", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("2");
    await terminal.waitFor("▸ plans.pdf");
    terminal.write("a");
    await terminal.waitFor("about [plans.pdf]");
  });

  it("opens for reading, with conversations in tabs, documents as chips, and sources to copy", async () => {
    const folder = await temporaryDirectory("chat");
    await using terminal = openFake({ conversations: 2, messages: 4 });
    await terminal.waitFor("▸ licence");
    terminal.write("4");
    await terminal.waitFor("i writes a question");
    terminal.write("2");
    await terminal.waitFor("▸ plans.pdf");
    terminal.write("4c");
    await terminal.waitFor("Documents to ask");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ ✓ plans.pdf");
    terminal.write(keys.escape);
    await terminal.waitFor("about [plans.pdf]");
    await terminal.waitForQuiet(150);
    terminal.write("i");
    await terminal.type("When does it end?");
    terminal.write(keys.enter);
    await terminal.waitFor("[1] plans.pdf p. 2");
    terminal.write(keys.escape);
    await terminal.waitFor("i writes a question");
    terminal.write(keys.tab);
    await terminal.waitFor("Y copy the source");
    terminal.write("Y");
    await terminal.waitFor(
      "copied: “The consultation period ends on 14 December 2026.” (plans.pdf p.",
    );
    terminal.write(keys.ctrl("o"));
    await terminal.waitFor("▸ ✓ the question");
    terminal.write(keys.down);
    terminal.write(keys.enter);
    await terminal.waitFor(/1 When does it end\? +\[2 message 1\]/);
    await terminal.waitFor("message 4");
    terminal.write("[");
    await terminal.waitFor(/\[1 When does it end\?\] +2 message 1/);
    terminal.write(keys.ctrl("w"));
    await terminal.waitFor("┌ Chat ─ planning-assistant");
    terminal.write("x");
    await terminal.waitFor("Save the conversation as");
    terminal.write(keys.enter);
    await terminal.waitFor("chat export stored-1");
    terminal.write(keys.ctrl("u"));
    await terminal.type(join(folder, "chat.md"));
    terminal.write(keys.enter);
    await terminal.waitFor(/saved .*chat\.md/);
    expect(await readFile(join(folder, "chat.md"), "utf8")).toMatch(
      /^# .*\n\n## Question\n\nmessage/,
    );
  });
});
