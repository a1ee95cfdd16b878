import { describe, expect, it } from "vitest";
import {
  colourDepthOf,
  grounds,
  skinAt,
  skinNamed,
  skinNames,
  skins,
  statusLook,
  type Style,
} from "#ui/kit/theme/theme.ts";

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

/** Relative luminance (WCAG 2.2) of `#rrggbb` or `ansi256(n)` in the cube or the grays. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function channels(colour: string): number[] {
  const number = /^ansi256\((\d+)\)$/.exec(colour)?.[1];
  if (number === undefined)
    return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const index = Number(number);
  if (index < 16) throw new Error(`${colour} is a colour of the terminal's own palette`);
  if (index >= 232) return [0, 1, 2].map(() => 8 + (index - 232) * 10);
  const levels = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((at) => levels[at] ?? 0);
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const drawn = skinNames.flatMap((name) =>
  (["24 bits", "256", "16"] as const).map((depth) => ({ name, depth })),
);

describe.each(drawn)("the texts of the skin $name with $depth colours", ({ name, depth }) => {
  const looks: readonly [string, Style][] = Object.entries(skinAt(name, depth));
  const pairs = looks.flatMap(([token, { color, backgroundColor }]) =>
    grounds[name].flatMap((ground) => {
      // A text without a colour has that of the terminal.
      const text = color ?? (luminance(ground) < 0.18 ? "#ffffff" : "#000000");
      return backgroundColor === undefined
        ? [{ token, text, ground: String(ground) }]
        : [{ token, text, ground: backgroundColor }];
    }),
  );

  it.each(pairs)("$token, $text on $ground, have a contrast of 4.5 to 1", ({ text, ground }) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it("have no colour that the terminal would replace by another one", () => {
    const colours = looks.flatMap(([, { color, backgroundColor }]) => [color, backgroundColor]);
    const given = colours.filter((colour) => colour !== undefined);
    if (depth === "16") expect(given).toEqual([]);
    if (depth === "256")
      expect(given.filter((colour) => !colour.startsWith("ansi256"))).toEqual([]);
  });

  it("are not dimmed, which takes half of their contrast", () => {
    for (const [, look] of looks) expect(look).not.toHaveProperty("dimColor");
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

describe("the colours of a terminal", () => {
  const cases = [
    { env: { TERM: "xterm-256color", COLORTERM: "truecolor" }, depth: "24 bits" },
    { env: { TERM: "screen-256color" }, depth: "256" },
    { env: { TERM: "linux" }, depth: "16" },
    { env: { TERM: "xterm-256color", FORCE_COLOR: "1" }, depth: "16" },
    { env: { TERM: "xterm-kitty" }, depth: "24 bits" },
    { env: {}, platform: "win32", depth: "24 bits" },
  ];

  it.each(cases)("$env show $depth", ({ env, platform = "linux", depth }) => {
    expect(colourDepthOf({ env, platform })).toBe(depth);
  });
});
