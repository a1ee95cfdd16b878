import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askEarly, groundIn, knowsCommands } from "#ui/terminal-answers.ts";
import type { TerminalSignal } from "#ui/terminal.ts";
import { openFake, openRecords } from "./support/open-fake.ts";
import type { OpenedTerminal } from "../support/tty.ts";

describe("the background in an answer", () => {
  it.each([
    ["\x1b]11;rgb:1e1e/2020/2e2e\x1b\\", "#1e202e"],
    ["j\x1b]11;rgb:ff/80/00\x07k", "#ff8000"],
    ["\x1b]11;rgba:ffff/ffff/ffff/8000\x1b\\", "#ffffff"],
    ["\x1b]11;rgb:1e1e/2020", undefined],
    ["\x1b]10;rgb:ff/ff/ff\x07", undefined],
    ["\x1b]11;rgb:zz/80/00\x07", undefined],
  ])("%j is %s", (input, ground) => {
    expect(groundIn(input)).toBe(ground);
  });
});

it("the console and old terminals get no operating system commands", () => {
  const known = ["linux", "vt220", "xterm", "tmux-256color"].map((TERM) =>
    knowsCommands({ env: { TERM } }),
  );
  expect(known).toEqual([false, false, true, true]);
});

/** A terminal that is taken before the dashboard, with what was done to it. */
function takenTerminal() {
  const done: string[] = [];
  const handlers = new Map<string, () => void>();
  const listen = (event: string, handler: () => void) => {
    handlers.set(event, handler);
    return () => handlers.delete(event);
  };
  const setRawMode = (isRaw: boolean) => void done.push(isRaw ? "raw" : "restored");
  const terminal = {
    stdin: Object.assign(new PassThrough(), { setRawMode }),
    stdout: new PassThrough(),
    env: { TERM: "xterm" },
    onSignal: (signal: TerminalSignal, handler: () => void) => listen(signal, handler),
    onExit: (handler: () => void) => listen("exit", handler),
    exit: (code: number) => void done.push(`exit ${code}`),
  };
  return { taken: askEarly(terminal as never), done, handlers };
}

describe("the terminal before the first frame", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ])("is restored after %s, which ends the process", async (signal, code) => {
    const { done, handlers } = takenTerminal();
    handlers.get(signal)?.();
    await expect.poll(() => done).toEqual(["raw", "restored", `exit ${code}`]);
  });

  it("is restored at an exit, ends at once at a second signal, and is handed over whole", () => {
    const { done, handlers, taken } = takenTerminal();
    handlers.get("exit")?.();
    handlers.get("SIGTERM")?.();
    handlers.get("SIGTERM")?.();
    expect(done).toEqual(["raw", "restored", "exit 143"]);
    taken.handOver();
    expect([...handlers.keys()]).toEqual([]);
  });

  it("is given back where no dashboard takes it", async () => {
    const { done, handlers, taken } = takenTerminal();
    await taken.end();
    expect(done).toEqual(["raw", "restored"]);
    expect(handlers.size).toBe(0);
  });
});

/** The background of the selected row, as 0xRRGGBB. */
function barColour(terminal: OpenedTerminal): number {
  const row = terminal.screen().findIndex((line) => line.includes("▸ licence"));
  const column = (terminal.screen()[row] ?? "").lastIndexOf("licence");
  return terminal.cell(row, column).background;
}

const groundQuestion = "\x1b]11;?";

function brightness(colour: number): number {
  return (colour >> 16) + ((colour >> 8) & 0xff) + (colour & 0xff);
}

describe("the colours of the dashboard", () => {
  it("fit the background of the terminal, and follow its changes within a second", async () => {
    const background = { colour: "#1e1e1e" };
    await using terminal = openFake({}, { background, isAlone: true });
    await terminal.waitFor("▸ licence");
    // The first frame may come before the answer of a slow terminal.
    await terminal.waitFor(() => brightness(barColour(terminal)) < 3 * 140);
    const turn = async (colour: string, isThere: () => boolean) => {
      const questions = terminal.raw().split(groundQuestion).length;
      const startedAt = performance.now();
      background.colour = colour;
      terminal.write("\x1b[?997;2n");
      await terminal.waitFor(isThere);
      expect(terminal.raw().split(groundQuestion)).toHaveLength(questions + 1);
      return performance.now() - startedAt;
    };
    const isLight = () => brightness(barColour(terminal)) > 3 * 140;
    const isDark = () => brightness(barColour(terminal)) < 3 * 140;
    // A question for each report and none between them: the change does not wait for a period.
    for (let round = 0; round < 3; round += 1) {
      expect(await turn("#ffffff", isLight)).toBeLessThan(1_000);
      expect(await turn("#1e1e1e", isDark)).toBeLessThan(1_000);
    }
    await turn("#ffffff", isLight);
    background.colour = "#000000";
    // A terminal without such reports is asked when its window gets the focus again.
    terminal.write("\x1b[O\x1b[I");
    await terminal.waitFor(() => brightness(barColour(terminal)) < 3 * 140);
  });

  it("are asked for once a terminal without an answer reports a change", async () => {
    const background = { colour: "none" };
    await using terminal = openFake({}, { background, isAlone: true });
    await terminal.waitFor("▸ licence");
    background.colour = "#ffffff";
    terminal.write("\x1b[?997;2n");
    await terminal.waitFor(() => brightness(barColour(terminal)) > 3 * 140);
  });

  it("need no answer, and a key typed meanwhile is not lost", async () => {
    await using terminal = openFake({}, { isAlone: true });
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
  });

  it("are asked for without a word on the Linux console", async () => {
    await using terminal = openFake({}, { env: { TERM: "linux", COLORTERM: undefined } });
    await terminal.waitFor("► licence");
    expect(terminal.raw()).not.toContain("\x1b]");
  });
});

describe("the title of the window", () => {
  it("is that of the place, and the shell's own comes back", async () => {
    await using terminal = await openRecords({}, { isAlone: true });
    const title = "northwind-council › planning › planning-application · svc";
    await terminal.waitFor(() => terminal.title() === title);
    terminal.write("3");
    await terminal.waitFor(() => terminal.title() === "northwind-council › planning › jobs · svc");
    terminal.write("q");
    await terminal.exitCode;
    expect(terminal.raw().split("\x1b[22;2t")).toHaveLength(2);
    expect(terminal.raw().split("\x1b[23;2t")).toHaveLength(2);
  });
});
