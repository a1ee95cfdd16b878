import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { difference, removal } from "#server/domains/records/store/patch.ts";
import {
  changeWords,
  differenceLines,
  differencesOf,
  type Difference,
} from "#ui/records/detail/record-history.ts";

/** A copy with the value at the place, or without it. */
function placed(data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const parent = new Map(Object.entries((data ?? {}) as object));
  const inner = placed(parent.get(name), rest, value);
  if (inner === undefined) parent.delete(name);
  else parent.set(name, inner);
  return Object.fromEntries(parent);
}

function applied(data: unknown, differences: readonly Difference[], side: "before" | "after") {
  return differences.reduce((now, each) => placed(now, each.path, each[side]), data);
}

const name = fc.constantFrom("a", "b", "c/d", "e~f", "g.h");
const leaf = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.nat()),
);
const data = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { minKeys: 1 })));

describe("what a write changed", () => {
  it("leads from each version to the next one and back", () => {
    fc.assert(
      fc.property(data, data, (before, after) => {
        const differences = differencesOf(difference(before, after));
        expect(applied(before, differences, "after")).toEqual(after);
        expect(applied(after, differences, "before")).toEqual(before);
      }),
    );
  });

  it("is every property if the record was created or deleted", () => {
    const whole = { status: "open", fee: 3 };
    expect(differencesOf([{ op: "add", path: "", value: whole }])).toEqual([
      { path: ["status"], kind: "added", before: undefined, after: "open" },
      { path: ["fee"], kind: "added", before: undefined, after: 3 },
    ]);
    expect(differencesOf(removal(whole)).map(({ kind, before }) => [kind, before])).toEqual([
      ["removed", "open"],
      ["removed", 3],
    ]);
  });

  it("is read from patches without tests and with moves", () => {
    expect(differencesOf([{ op: "replace", path: "/a~1b", value: 1 }])).toEqual([
      { path: ["a/b"], kind: "changed", before: undefined, after: 1 },
    ]);
    const moved = [{ op: "move", path: "/to", from: "/from" }];
    expect(changeWords(moved)).toBe("-from +to");
    expect(differencesOf([{ op: "nonsense", path: "/a" }])).toEqual([]);
  });

  it("is one line if it fits, else the old value above the new one", () => {
    const changes = [
      { op: "test", path: "/status", value: "open" },
      { op: "replace", path: "/status", value: "decided" },
      { op: "test", path: "/note", value: "a long text of words" },
      { op: "replace", path: "/note", value: "another long text of words" },
      { op: "add", path: "/tags", value: ["trees"] },
    ];
    const lines = differenceLines(differencesOf(changes), 32);
    expect(lines.map((line) => line.map(({ text }) => text).join(""))).toEqual([
      "~ status  open → decided",
      "- note  a long text of words",
      "+ note  another long text of ",
      "  words",
      "+ tags  trees",
    ]);
    expect(changeWords(changes)).toBe("status note +tags");
  });

  it("is safe to draw, whatever was written", () => {
    const hostile = "\x1b]0;owned\x07\x1b[2Jred\u202e";
    const lines = differenceLines(
      differencesOf([
        { op: "test", path: `/${hostile}`, value: hostile },
        { op: "replace", path: `/${hostile}`, value: "x" },
        { op: "add", path: "/other", value: { [hostile]: hostile } },
      ]),
      60,
    );
    for (const { text } of lines.flat())
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });
});
