import { describe, expect, it } from "vitest";
import { skinNamed, skinNames, skins, statusLook } from "#ui/kit/theme/theme.ts";

describe("skins", () => {
  it("are all listed by name", () => {
    expect([...skinNames].toSorted((a, b) => a.localeCompare(b))).toEqual(
      Object.keys(skins).toSorted((a, b) => a.localeCompare(b)),
    );
    expect(skinNamed("constructor")).toBe("terminal");
  });

  it.each(Object.entries(skins))("%s has a style for every token", (_name, skin) => {
    expect(new Set(Object.keys(skin))).toEqual(new Set(Object.keys(skins.terminal)));
  });
});

describe("a status", () => {
  it("of a job has its own sign", () => {
    const statuses = [
      "queued",
      "running",
      "succeeded",
      "completed_with_errors",
      "failed",
      "cancelled",
      "interrupted",
    ];
    const glyphs = statuses.map((status) => statusLook(status).glyph);
    expect(new Set(glyphs).size).toBe(statuses.length);
  });

  it("that is unknown has a neutral look", () => {
    expect(statusLook("constructor")).toEqual(statusLook("never heard of"));
  });
});
