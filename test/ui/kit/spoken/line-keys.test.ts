import { describe, expect, it } from "vitest";
import type { Binding } from "#ui/kit/keys/key-bindings.ts";
import { keySequence, keysOfLine, type LineContext } from "#ui/kit/spoken/line-keys.ts";

const binding = (keys: string, words: string): Binding => ({
  entry: { intent: words, keys: keys.split(" "), where: ["place"], words },
  scope: "place",
  reason: undefined,
  run: () => {},
});

const list: LineContext = {
  lines: ["1. L-1", "2. selected, L-2", "3. L-3", "4. L-4"],
  typing: undefined,
  bindings: [binding("ctrl+d", "delete"), binding("e", "edit"), binding("E", "edit as JSON")],
};

describe("a line", () => {
  it("with the number of a row chooses it", () => {
    expect(keysOfLine("4", list)).toEqual({ input: "\x1b[B\x1b[B\r" });
    expect(keysOfLine("1", list)).toEqual({ input: "\x1b[A\r" });
    expect(keysOfLine("2", { ...list, typing: "picker" })).toEqual({ input: "\r" });
    expect(keysOfLine("19", list)).toHaveProperty("refusal");
    expect(keysOfLine("9", list)).toMatchObject({ refusal: expect.stringContaining(".9 opens") });
    expect(keysOfLine(".9", list)).toEqual({ input: "9" });
    expect(keysOfLine("0", list)).toEqual({ input: "0" });
  });

  it("presses a key or does the action of these words", () => {
    expect(keysOfLine("e", list)).toEqual({ input: "e" });
    expect(keysOfLine("esc", list)).toEqual({ input: "\x1b" });
    expect(keysOfLine("", list)).toEqual({ input: "\r" });
    expect(keysOfLine("Delete it", list)).toHaveProperty("refusal");
    expect(keysOfLine("dele", list)).toEqual({ input: "\x04" });
    expect(keysOfLine("edit", list)).toEqual({ input: "e" });
    expect(keysOfLine("edit as", list)).toEqual({ input: "E" });
    expect(keysOfLine("ed", list)).toHaveProperty("refusal");
  });

  it("fills the field that takes text, except for a key after a dot", () => {
    const form: LineContext = { ...list, typing: "form" };
    expect(keysOfLine("12", form)).toEqual({ input: "\x05\x15\x1b[200~12\x1b[201~\r" });
    expect(keysOfLine(".ctrl+s", form)).toEqual({ input: "\x13" });
    expect(keysOfLine('".5"', form)).toEqual({ input: '\x05\x15\x1b[200~.5"\x1b[201~\r' });
    expect(keysOfLine(".unknown", form)).toHaveProperty("refusal");
  });
});

it("the name of each kind of key has its characters", () => {
  const names = ["pgdn", "shift+tab", "^a", "ctrl+z", "alt+enter", "space", "é", "alt+none"];
  expect(names.map(keySequence)).toEqual([
    "\x1b[6~",
    "\x1b[Z",
    "\x01",
    "\x1a",
    "\x1b\r",
    " ",
    "é",
    undefined,
  ]);
});
