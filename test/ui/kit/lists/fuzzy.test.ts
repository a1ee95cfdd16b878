import { describe, expect, it } from "vitest";
import { fuzzyFind } from "#ui/kit/lists/fuzzy.ts";

describe("fuzzyFind", () => {
  const names = ["planning-application", "licence", "go to planning", "documents"];
  it("finds by letters in order, word starts first", () => {
    expect(fuzzyFind(names, "pa", (name) => name)[0]).toBe("planning-application");
    expect(fuzzyFind(names, "plan go", (name) => name)[0]).toBe("go to planning");
    expect(fuzzyFind(names, "zz", (name) => name)).toEqual([]);
    expect(fuzzyFind(names, "", (name) => name)).toEqual(names);
  });

  it("puts what has a word as it was typed before what only has its letters", () => {
    const acts = ["sign out", "sign in by browser", "sign in, or another platform", "asking"];
    expect(fuzzyFind(acts, "sign in", (act) => act)).toEqual([
      "sign in by browser",
      "sign in, or another platform",
      "sign out",
    ]);
    expect(fuzzyFind(["basin", "in tray"], "in", (name) => name)).toEqual(["in tray", "basin"]);
  });
});
