import { expect, test } from "vitest";
import { keys, openTerminal } from "./tty.ts";

const shell = (script: string, cols = 40, rows = 5) =>
  openTerminal({ command: "bash", args: ["--norc", "-c", script], cols, rows });

test("shows what the program draws, where it draws it, and how it ends", async () => {
  await using terminal = shell("printf 'one\\n\\e[1mtwo\\e[0m \\U1F4C4|'; exit 3");
  expect(await terminal.exitCode).toBe(3);
  expect(terminal.screen()).toEqual(["one", "two \u{1F4C4}|", "", "", ""]);
  expect(terminal.cell(1, 0)).toMatchObject({ text: "t", bold: true, inverse: false });
  expect(terminal.cell(1, 4)).toMatchObject({ width: 2 });
  expect(terminal.cursor()).toEqual({ row: 1, column: 7 });
  expect(terminal.raw()).toContain("\x1b[1mtwo");
  expect(terminal.bytesWritten()).toBe(Buffer.byteLength(terminal.raw()));
});

test("sends keys, follows a resize, and reads the modes of the terminal", async () => {
  await using terminal = shell(
    `stty raw -echo; printf '\\e[?1049h\\e[?25l\\e[?2004hready';
     trap 'stty size' WINCH; while read -rsN1 key; do [ "$key" = q ] && break; printf "<%s>" "$key"; done;
     stty sane; printf '\\e[?2004l\\e[?25h\\e[?1049l'; stty -a | grep -o 'icanon'`,
  );
  await terminal.waitFor("ready");
  expect(terminal.modes()).toEqual({
    alternateScreen: true,
    cursorHidden: true,
    raw: true,
    bracketedPaste: true,
    autowrap: true,
    mouse: false,
  });
  await terminal.type("aü");
  await terminal.waitFor("<a><ü>");
  terminal.resize(30, 4);
  terminal.write("b");
  await terminal.waitFor("4 30");
  expect(terminal.screen()).toHaveLength(4);
  terminal.write("q");
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.screen()[0]).toBe("icanon");
  expect(terminal.modes()).toMatchObject({ alternateScreen: false, cursorHidden: false });
});

test("a signal's death is 128 and its number", async () => {
  await using terminal = shell("printf up; exec sleep 60");
  await terminal.waitFor("up");
  terminal.kill("SIGTERM");
  expect(await terminal.exitCode).toBe(143);
});

test("a wait that can't be met says what the screen was", async () => {
  await using terminal = shell("echo only this; exec sleep 60");
  await terminal.waitFor(/only this/);
  await expect(terminal.waitFor("that", { timeoutMs: 50 })).rejects.toThrow(
    /50 ms passed while waiting for "that"; the screen was:\nonly this/,
  );
});

test("a wait fails at once when the program has ended", async () => {
  await using terminal = shell("exit 7");
  await expect(terminal.waitFor("anything")).rejects.toThrow(/ended with exit code 7/);
});

test("the program does not see that it is being tested", async () => {
  await using terminal = openTerminal({
    command: "env",
    env: { SVC_PROFILE: "mine" },
    cols: 200,
    rows: 100,
  });
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.text()).not.toMatch(/^(CI|VITEST|NODE_ENV|NO_COLOR|FORCE_COLOR)=/m);
  expect(terminal.text()).toContain("SVC_PROFILE=mine");
  expect(terminal.text()).toContain("TERM=xterm-256color");
});

test("a key's name stands for the bytes that a terminal sends", () => {
  expect([keys.ctrl("c"), keys.up, keys.paste("x\ny")]).toEqual([
    "\x03",
    "\x1b[A",
    "\x1b[200~x\ny\x1b[201~",
  ]);
});
