import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { strokesOf } from "#ui/kit/keys/keystrokes.ts";

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

function names(input: string, key: Partial<Key> = {}): string[] {
  return strokesOf(input, { ...noKey, ...key }).map((stroke) => stroke.name);
}

describe("strokesOf", () => {
  it("reads one letter", () => {
    expect(strokesOf("j", noKey)).toEqual([{ name: "j", text: "j", count: 1 }]);
  });

  it("reads Tabs among a few characters as pressed, and among many as pasted", () => {
    expect(strokesOf("\t\t", noKey)).toEqual([{ name: "tab", count: 2 }]);
    expect(names("ab\tc")).toEqual(["a", "b", "tab", "c"]);
    const pasted = strokesOf(`${"x".repeat(80)}\ty`, noKey);
    expect(pasted.map((stroke) => stroke.text)).toEqual(["x", "\t", "y"]);
  });

  it("counts a burst of one letter, so that no press is lost", () => {
    expect(strokesOf("jjjj", noKey)).toEqual([{ name: "j", text: "j", count: 4 }]);
  });

  it("splits a mixed burst in order", () => {
    expect(names("jjkG")).toEqual(["j", "k", "G"]);
  });

  it("splits by graphemes", () => {
    expect(names("é👨‍👩‍👧")).toEqual(["é", "👨‍👩‍👧"]);
  });

  it.each([
    [{ upArrow: true }, "up"],
    [{ pageDown: true }, "pagedown"],
    [{ return: true }, "enter"],
    [{ return: true, meta: true }, "alt+enter"],
    [{ tab: true, shift: true }, "shift+tab"],
    [{ escape: true, meta: true }, "escape"],
    [{ leftArrow: true, ctrl: true }, "ctrl+left"],
    [{ backspace: true }, "backspace"],
  ] as const)("names %j %s", (key, name) => {
    expect(names("", key)).toEqual([name]);
  });

  it("names Ctrl and Alt with a letter, which insert nothing", () => {
    expect(strokesOf("c", { ...noKey, ctrl: true })).toEqual([{ name: "ctrl+c", count: 1 }]);
    expect(names("b", { meta: true })).toEqual(["alt+b"]);
  });

  it("reads an Enter among other characters as a line end, never as a submit", () => {
    const strokes = strokesOf("one line\rrm -rf\r", noKey);
    expect(strokes.at(-1)).toEqual({ name: "enter", text: "\n", count: 1 });
  });

  it("takes an Enter immediately after a few letters as a press: a fast hand, a slow line", () => {
    expect(strokesOf(`${"x".repeat(64)}\r`, noKey).at(-1)).toMatchObject({ text: "\n" });
    expect(strokesOf("status:open\r", noKey).at(-1)).toEqual({ name: "enter", count: 1 });
    expect(names("a\rb\r")).toEqual(["a", "enter", "b", "enter"]);
    expect(strokesOf("a\rb", noKey)[1]).toMatchObject({ text: "\n" });
  });

  it("reads an Enter right before a few letters as a press: the program was busy", () => {
    const enter = { name: "enter", count: 1 };
    const letter = { name: "n", text: "n", count: 1 };
    expect(strokesOf("\rn", noKey)).toEqual([enter, letter]);
    expect(strokesOf("\rn\r", noKey)).toEqual([enter, letter, enter]);
    expect(strokesOf("\r\r", noKey)).toEqual([{ ...enter, count: 2 }]);
    expect(strokesOf(`\r${"x".repeat(64)}`, noKey)[0]).toMatchObject({ text: "\n" });
    expect(strokesOf("\rone line\rtwo", noKey)[0]).toMatchObject({ text: "\n" });
  });

  it("reads Ctrl with a letter among other characters", () => {
    expect(names("\x15ab\x17")).toEqual(["ctrl+u", "a", "b", "ctrl+w"]);
  });

  it("gives Ctrl-J its own name", () => {
    expect(names("\n")).toEqual(["ctrl+j"]);
  });

  it("ignores releases and empty input", () => {
    expect(names("j", { eventType: "release" })).toEqual([]);
    expect(names("")).toEqual([]);
  });
});
