import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/headless";
import { expect, test } from "vitest";

const columns = 30;
const rows = 6;

type FrameUpdate = (before: readonly string[], after: readonly string[], columns: number) => string;

/** The package exports only its whole; this module is part of its patch. */
const patched: string = "../../node_modules/ink/build/frame-update.js";
const { default: update } = (await import(patched)) as { default: FrameUpdate };

/** A generator with a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const styles = [
  ["", ""],
  ["", ""],
  ["\x1b[1m", "\x1b[22m"],
  ["\x1b[7m", "\x1b[27m"],
  ["\x1b[4m\x1b[38;5;63m", "\x1b[39m\x1b[24m"],
  ["\x1b[38;2;176;96;0m", "\x1b[39m"],
  ["\x1b[48;5;220m\x1b[30m", "\x1b[39m\x1b[49m"],
  ["\x1b[32m\x1b[1m", "\x1b[22m\x1b[39m"],
] as const;
const texts = [
  "a",
  "bc",
  "open",
  " ",
  "   ",
  "             ",
  "✓ decided",
  "┌──",
  "…",
  "日本",
  "é",
  "👍",
];

function lineOf(next: (below: number) => number): string {
  let line = "";
  let width = 0;
  for (;;) {
    const text = texts[next(texts.length)] ?? "";
    width += Bun.stringWidth(text);
    if (width > columns || next(9) === 0) return line;
    const [open = "", close = ""] = styles[next(styles.length)] ?? [];
    line += open + text + close;
  }
}

/** The cells of a terminal, each with its look; the colour of a blank is not seen. */
function shown(terminal: Terminal): string[] {
  return Array.from({ length: rows }, (_row, row) => {
    const line = terminal.buffer.active.getLine(row);
    return Array.from({ length: columns }, (_cell, column) => {
      const cell = line?.getCell(column);
      const text = cell?.getChars() || " ";
      const look = [cell?.isInverse(), cell?.isUnderline(), cell?.getBgColor()];
      if (text !== " ") look.push(cell?.isBold(), cell?.getFgColor());
      return `${text}${look.map(Number).join(",")}`;
    }).join(" ");
  });
}

async function written(...outputs: readonly string[]): Promise<Terminal> {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  for (const output of ["\x1b[?7l", ...outputs]) {
    await new Promise<void>((resolve) => terminal.write(output, resolve));
  }
  return terminal;
}

test("changed cells leave the screen as if all of it had been written", async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const next = random(seed);
    const before = Array.from({ length: rows }, () => lineOf(next));
    const after = before.map((line) => (next(3) === 0 ? line : lineOf(next)));
    const changed = await written(before.join("\r\n"), update(before, after, columns));
    const whole = await written(after.join("\r\n"));
    expect(shown(changed), `seed ${seed}`).toEqual(shown(whole));
    expect(changed.buffer.active.cursorY, `seed ${seed}`).toBe(rows - 1);
  }
});

test("one changed cell costs a few bytes", () => {
  const before = ["a".repeat(30), "b".repeat(30), "c".repeat(30)];
  const after = [`${"a".repeat(20)}x${"a".repeat(9)}`, ...before.slice(1)];
  expect(update(before, after, columns)).toBe("\x1b[2F\x1b[21Gx\x1b[2E");
});
