import { describe, expect, it } from "vitest";
import { userEnvironment } from "../support/environment.ts";
import { svcExecutable } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys, openTerminal } from "../support/tty.ts";

describe("the dashboard below a shell", () => {
  it.each([
    ["by itself", (svc: string) => `"${svc}"`],
    // npm does this: a shell gets the terminal back only when all its children are stopped.
    ["started by something else", (svc: string) => `sh -c '"${svc}"; exit $?'`],
  ])("is stopped by Ctrl-Z and goes on with fg: %s", async (_, command) => {
    const home = await temporaryDirectory("home");
    await using terminal = openTerminal({
      command: "sh",
      args: ["-i"],
      cols: 100,
      rows: 30,
      cwd: home,
      // A port that nothing listens on: a shell is what this is about.
      env: { ...userEnvironment(home), BASE_URL_PUBLIC_API: "http://127.0.0.1:1", PS1: "> " },
    });
    await terminal.waitFor(">");
    terminal.write(`${command(await svcExecutable())}${keys.enter}`);
    await terminal.waitFor("does not answer");
    terminal.write(keys.ctrl("z"));
    await terminal.waitFor(/Stopped/);
    expect(terminal.modes()).toMatchObject({ alternateScreen: false, autowrap: true });
    // A stopped process does not receive the new size.
    terminal.resize(90, 25);
    terminal.write(`fg${keys.enter}`);
    await terminal.waitFor(() => terminal.modes().alternateScreen && terminal.modes().raw);
    await terminal.waitFor("does not answer");
    await terminal.waitFor(
      () =>
        terminal
          .text()
          .split("\n")
          .filter((line) => line !== "").length === 25,
    );
    terminal.write("q");
    await terminal.waitFor(() => !terminal.modes().alternateScreen);
    terminal.write(`echo "left with $?"${keys.enter}`);
    await terminal.waitFor("left with 0");
  });
});
