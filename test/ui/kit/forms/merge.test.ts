import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareThree, merged, sideOf, undecided, type Side } from "#ui/kit/forms/merge.ts";

const name = fc.constantFrom("status", "fee", "tags", "note", "place");
const value = fc.oneof(
  fc.constantFrom("open", "decided", 1, 2, null, true),
  fc.array(fc.nat(3), { maxLength: 2 }),
  fc.record({ lat: fc.nat(2) }),
);
const record = fc.dictionary(name, value);

function all(side: Side, names: readonly string[]) {
  return new Map(names.map((each) => [each, side]));
}

describe("a record that two users changed", () => {
  it("is mine or theirs if all values are taken from one side", () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        const threes = compareThree(base, mine, theirs);
        const names = threes.map((three) => three.name);
        expect(merged(theirs, threes, all("mine", names))).toEqual(mine);
        expect(merged(theirs, threes, all("theirs", names))).toEqual(theirs);
      }),
    );
  });

  it("keeps what only one side changed, without a decision", () => {
    fc.assert(
      fc.property(record, record, (base, changed) => {
        expect(merged(base, compareThree(base, changed, base), new Map())).toEqual(changed);
        expect(merged(changed, compareThree(base, base, changed), new Map())).toEqual(changed);
        expect(undecided(compareThree(base, changed, changed), new Map())).toEqual([]);
      }),
    );
  });

  it("asks for a decision where both changed the same property", () => {
    const base = { status: "open", fee: 10, note: "a", gone: 1 };
    const mine = { status: "decided", fee: 20, note: "a" };
    const theirs = { status: "withdrawn", fee: 10, note: "b", gone: 2 };
    const threes = compareThree(base, mine, theirs);
    expect(threes.map((three) => [three.name, three.changedBy])).toEqual([
      ["status", "both"],
      ["fee", "me"],
      ["note", "them"],
      ["gone", "both"],
    ]);
    expect(undecided(threes, new Map()).map((three) => three.name)).toEqual(["status", "gone"]);
    const decisions = new Map<string, Side>([
      ["status", "theirs"],
      ["gone", "mine"],
    ]);
    expect(threes.map((three) => sideOf(three, decisions))).toEqual([
      "theirs",
      "mine",
      "theirs",
      "mine",
    ]);
    expect(merged(theirs, threes, decisions)).toEqual({ status: "withdrawn", fee: 20, note: "b" });
  });
});
