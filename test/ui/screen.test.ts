import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { endSignals } from "#ui/terminal.ts";
import { keys, openTerminal, type OpenedTerminal } from "../support/tty.ts";
import { dashboardProgram } from "./support/dashboard-host.ts";
import { openFake } from "./support/open-fake.ts";

/** Everything that a program may change about a terminal is restored. */
function expectGivenBack(terminal: OpenedTerminal): void {
  expect(terminal.modes()).toEqual({
    alternateScreen: false,
    cursorHidden: false,
    raw: false,
    bracketedPaste: false,
    autowrap: true,
    mouse: false,
  });
}

/** Opens the first record in the user's editor. */
async function editRecord(terminal: OpenedTerminal): Promise<void> {
  await terminal.waitFor("planning-application");
  terminal.write("j");
  await terminal.waitFor("▸ planning-application");
  terminal.write(keys.enter);
  await terminal.waitFor("PA-2026-00042");
  terminal.write("E");
  await terminal.waitFor("editor is ready");
}

/**
 * Continues a program that stops itself. A signal before the stop is lost, so it is sent until the
 * screen shows an effect. Later signals make the program take the terminal again.
 */
async function continueProgram(terminal: OpenedTerminal, isBack: () => boolean): Promise<void> {
  await terminal.waitFor(() => {
    terminal.kill("SIGCONT");
    return isBack();
  });
  await terminal.waitForQuiet(300);
}

describe("the terminal is given back", () => {
  it("after quitting", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("Object Types");
    expect(terminal.modes().alternateScreen).toBe(true);
    expect(terminal.modes().autowrap).toBe(false);
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });

  it("after Ctrl-C, also while a question is open", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("planning-application");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    terminal.write(keys.ctrl("c"));
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });

  it.each(endSignals)("after %s", async (signal) => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("Object Types");
    await terminal.waitFor(() => terminal.modes().raw);
    expect(terminal.modes()).toMatchObject({ alternateScreen: true, autowrap: false });
    terminal.kill(signal);
    expect(await terminal.exitCode).toBe(128 + constants.signals[signal]);
    expectGivenBack(terminal);
  });

  it.each(["\x03", "\x1c"])("to an editor that gets the key %j itself", async (key) => {
    const editor = `"${process.execPath}" test/ui/support/editor-program.ts`;
    await using terminal = openFake({}, { env: { EDITOR: `trap : INT QUIT; ${editor}` } });
    await editRecord(terminal);
    terminal.write(key);
    // The key ends the editor; the dashboard goes on and shows the failed command.
    await terminal.waitFor("trap : INT QUIT");
    expect(terminal.modes()).toMatchObject({ alternateScreen: true, raw: true });
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });

  it.each(["timer", "rejection"])(
    "after a crash in a %s, with words and no stack",
    async (crash) => {
      await using terminal = openFake({ crash });
      expect(await terminal.exitCode).toBe(1);
      expectGivenBack(terminal);
      expect(terminal.text()).toContain("the dashboard stopped");
      expect(terminal.raw()).not.toContain("secret details");
      expect(terminal.raw()).not.toMatch(/\bat .*\.tsx?:\d+/);
    },
  );

  it("after a fault in a screen, with words and no stack", async () => {
    await using terminal = openFake({ crash: "screen" });
    await terminal.waitFor("▸ fault");
    terminal.write(keys.enter);
    expect(await terminal.exitCode).toBe(1);
    expectGivenBack(terminal);
    expect(terminal.raw()).not.toContain("secret details");
    expect(terminal.raw()).not.toMatch(/\bat .*\.tsx?:\d+/);
  });

  it("while it is stopped, and taken again when it continues", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("Object Types");
    await terminal.waitForQuiet(200);
    terminal.write(keys.ctrl("z"));
    await terminal.waitFor(() => {
      const { alternateScreen, raw, autowrap, bracketedPaste } = terminal.modes();
      return !alternateScreen && !raw && autowrap && !bracketedPaste;
    });
    await continueProgram(
      terminal,
      () => terminal.modes().alternateScreen && terminal.text().includes("Object Types"),
    );
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });

  it("by a stop from outside, and taken again when it continues", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("Object Types");
    await terminal.waitForQuiet(200);
    const taken = () => terminal.raw().split("\x1b[?1049h").length;
    const before = taken();
    // The program can't restore the terminal: the shell sets it as shells need it.
    terminal.kill("SIGSTOP");
    terminal.kill("SIGCONT");
    await terminal.waitFor(() => taken() > before && terminal.modes().raw);
    await terminal.waitFor("Object Types");
    expect(terminal.modes()).toMatchObject({ alternateScreen: true, autowrap: false });
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });

  it("to an editor that is stopped and continued", async () => {
    const editor = `"${process.execPath}" test/ui/support/editor-program.ts`;
    await using terminal = openFake({}, { env: { EDITOR: `kill -TSTP 0; ${editor}` } });
    await editRecord(terminal);
    terminal.write(`abc${keys.enter}`);
    // The dashboard also stops, and continues with the editor.
    await continueProgram(terminal, () => terminal.text().includes("nothing was changed"));
    expect(terminal.raw()).toContain("editor read abc");
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });

  it("to an editor, which gets every key, and taken again after it", async () => {
    await using terminal = openFake(
      {},
      { env: { EDITOR: `"${process.execPath}" test/ui/support/editor-program.ts` } },
    );
    await editRecord(terminal);
    expect(terminal.modes().alternateScreen).toBe(false);
    await terminal.type("abcdefghij");
    terminal.write(keys.enter);
    await terminal.waitFor("nothing was changed");
    expect(terminal.raw()).toContain("editor read abcdefghij");
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    expectGivenBack(terminal);
  });
});

describe("the first frame", () => {
  it("begins at the left in a terminal that reports its focus at once", async () => {
    await using terminal = openFake({}, { reportsFocus: true, isAlone: true });
    await terminal.waitFor("▸ licence");
    await terminal.waitForQuiet(200);
    expect(terminal.screen()[0]).toMatch(/^ \S/);
    expect(terminal.screen()[0]).toMatch(/local$/);
    expect(terminal.raw()).not.toContain("^[[I");
  });

  it("begins at the left after an editor too", async () => {
    const editor = `"${process.execPath}" test/ui/support/editor-program.ts`;
    await using terminal = openFake({}, { reportsFocus: true, env: { EDITOR: editor } });
    await editRecord(terminal);
    terminal.write(keys.enter);
    await terminal.waitFor("nothing was changed");
    await terminal.waitForQuiet(200);
    expect(terminal.screen()[0]).toMatch(/^ \S/);
    expect(terminal.raw()).not.toContain("^[[I");
  });
});

describe("a terminal that can't show it", () => {
  it.each([
    ["dumb", 'TERM is "dumb"'],
    ["", "TERM is not set"],
  ])("is refused with words when TERM is %j", async (term, words) => {
    await using terminal = openFake({}, { env: { TERM: term } });
    expect(await terminal.exitCode).toBe(2);
    expect(terminal.text()).toContain(`a terminal that can move its cursor: ${words}`);
    expect(terminal.raw()).not.toContain("\x1b[?1049h");
  });

  it("is refused when stdout is a pipe", async () => {
    await using terminal = openTerminal({
      command: "sh",
      args: ["-c", `"${dashboardProgram}" | cat; echo done`],
      env: { FAKE: "{}" },
    });
    await terminal.waitFor("done");
    expect(terminal.text()).toContain("stdout is not a terminal");
  });
});
