import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openFake, openRecords } from "../support/open-fake.ts";

const question = "Quit without saving";

async function expectEnd(terminal: OpenedTerminal): Promise<void> {
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.modes()).toMatchObject({ alternateScreen: false, raw: false, autowrap: true });
}

async function openEditedForm(): Promise<OpenedTerminal> {
  const terminal = await openRecords({}, { isAlone: true });
  terminal.write("e");
  await terminal.waitFor("Edit PA-");
  await terminal.type("typed");
  await terminal.waitFor("typed");
  return terminal;
}

async function openDraft(): Promise<OpenedTerminal> {
  const terminal = openFake({}, { isAlone: true });
  await terminal.waitFor("▸ licence");
  terminal.write("4");
  await terminal.waitFor("planning-assistant");
  terminal.write("i");
  await terminal.type("When does it");
  await terminal.waitFor("When does it");
  return terminal;
}

describe("Ctrl-C with unsaved text", () => {
  it.each([
    ["a form", openEditedForm, "what was typed in “Edit PA-"],
    ["a chat", openDraft, "the message in the chat, which was not sent"],
  ] as const)("in %s asks once, and the second one quits", async (_, open, words) => {
    await using terminal = await open();
    terminal.write(keys.ctrl("c"));
    await terminal.waitFor(question);
    expect(terminal.text()).toContain(words);
    terminal.write(keys.ctrl("c"));
    await expectEnd(terminal);
  });

  it("keeps the text after a no, and asks again", async () => {
    await using terminal = await openEditedForm();
    terminal.write(keys.ctrl("c"));
    await terminal.waitFor(question);
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes(question) && screen.includes("typed"));
    terminal.write(keys.ctrl("c"));
    await terminal.waitFor(question);
    terminal.write("y");
    await expectEnd(terminal);
  });

  it("quits after two in one burst", async () => {
    await using terminal = await openDraft();
    terminal.write(keys.ctrl("c").repeat(2));
    await expectEnd(terminal);
  });

  it("asks about a message that another place hides, also for q", async () => {
    await using terminal = await openDraft();
    terminal.write(keys.escape);
    await terminal.waitFor("i write a message");
    terminal.write("1");
    await terminal.waitFor("▸ licence");
    terminal.write("q");
    await terminal.waitFor("the message in the chat, which was not sent");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes(question));
    terminal.write(keys.ctrl("c"));
    await terminal.waitFor(question);
    terminal.write("y");
    await expectEnd(terminal);
  });

  it("quits at once when the form was only opened", async () => {
    await using terminal = await openRecords({}, { isAlone: true });
    terminal.write("e");
    await terminal.waitFor("Edit PA-");
    terminal.write(keys.ctrl("c"));
    await expectEnd(terminal);
  });
});
