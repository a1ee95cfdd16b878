import { describe, expect, it } from "vitest";
import { rgbOf } from "#ui/kit/theme/colour.ts";
import { palettes } from "#ui/kit/theme/palettes.ts";
import {
  colourDepthOf,
  isSkinName,
  skinAt,
  skinNames,
  statusLook,
  themeSkin,
  type ColourDepth,
} from "#ui/kit/theme/theme.ts";
import type { Style } from "#ui/kit/theme/skin.ts";

/** The 16 colours of xterm and of the Linux console, in the order of their codes. */
const ofTerminals = {
  xterm:
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 " +
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
  "the Linux console":
    "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa " +
    "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
};
const names16 = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** The red, green and blue of a colour that a skin has, in the palette of a terminal. */
function channels(colour: string, palette: string): number[] {
  const number = /^ansi256\((\d+)\)$/.exec(colour)?.[1];
  const name = names16.indexOf(colour.replace("Bright", ""));
  if (name !== -1) {
    const own = palette.split(" ")[name + (colour.endsWith("Bright") ? 8 : 0)] ?? "";
    return channels(`#${own}`, palette);
  }
  if (number === undefined)
    return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const index = Number(number);
  if (index < 16) throw new Error(`${colour} is a colour of the terminal's own palette`);
  if (index >= 232) return [0, 1, 2].map(() => 8 + (index - 232) * 10);
  const levels = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((at) => levels[at] ?? 0);
}

/** The relative luminance of WCAG 2.2. */
function luminance(colour: string, palette: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour, palette).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string, palette: string): number {
  const both = [luminance(one, palette), luminance(other, palette)];
  const [light = 0, dark = 0] = both.toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The texts of a skin on a ground that have less than this contrast. */
function unreadable(
  skin: Readonly<Record<string, Style>>,
  ground: string,
  { least = 4.5, palette = ofTerminals.xterm } = {},
): string[] {
  return Object.entries(skin).flatMap(([token, { color, backgroundColor }]) => {
    // A text without a colour has that of the terminal.
    const text = color ?? (luminance(ground, palette) < 0.18 ? "#ffffff" : "#000000");
    const found = contrast(text, backgroundColor ?? ground, palette);
    return found >= least ? [] : [`${token} ${text} on ${ground}: ${found.toFixed(2)}`];
  });
}

const reported = [
  "#000000",
  "#0d1117",
  "#002b36",
  "#282c34",
  "#44475a",
  "#777777",
  "#9a9a9a",
  "#c0c0c0",
  "#eee8d5",
  "#fdf6e3",
  "#ffffff",
];
const fixed = ["24 bits", "256"] as const;
const drawn = fixed.flatMap((depth) => skinNames.map((name) => ({ name, depth })));

describe.each(drawn)("the texts of the skin $name with $depth colours", ({ name, depth }) => {
  it.each(reported)("have a contrast of 4.5 to 1 on the reported background %s", (ground) => {
    // A chosen skin stays as it is on a background that it is not made for.
    if (name === "dark" && luminance(ground, "") > 0.18) return;
    if (name === "light" && luminance(ground, "") < 0.18) return;
    const skin = skinAt(name, { depth, ground: rgbOf(ground) });
    expect(unreadable(skin, ground)).toEqual([]);
  });

  it("have it on the usual backgrounds where the terminal reports none", () => {
    const grounds = {
      terminal: ["#000000", "#ffffff"],
      contrast: ["#000000", "#ffffff"],
      mono: ["#000000", "#ffffff"],
      dark: palettes.dark.grounds,
      light: palettes.light.grounds,
    }[name];
    const skin = skinAt(name, { depth, ground: undefined });
    for (const ground of grounds) expect(unreadable(skin, ground)).toEqual([]);
  });

  it("have no colour that the terminal would replace by another one", () => {
    for (const ground of [undefined, rgbOf("#1e1e1e"), rgbOf("#ffffff")]) {
      const looks: Style[] = Object.values(skinAt(name, { depth, ground }));
      const colours = looks.flatMap(({ color, backgroundColor }) => [color, backgroundColor]);
      const other = depth === "256" ? /^ansi256\(/ : /^(?:#|ansi256\()/;
      for (const colour of colours) if (colour !== undefined) expect(colour).toMatch(other);
      // A dimmed text has half of its contrast.
      for (const look of looks) expect(look).not.toHaveProperty("dimColor");
    }
  });
});

describe("the skin of high contrast", () => {
  it.each(["#000000", "#1e1e1e", "#ffffff", "#fdf6e3"])("has 7 to 1 on %s", (ground) => {
    const skin = skinAt("contrast", { depth: "24 bits", ground: rgbOf(ground) });
    const { quiet, focus, good, warn, bad } = skin;
    expect(unreadable({ quiet, focus, good, warn, bad }, ground, { least: 7 })).toEqual([]);
  });
});

describe.each(Object.entries(ofTerminals))("16 colours of %s", (_terminal, palette) => {
  it.each([
    ["dark", "#000000"],
    ["light", "#ffffff"],
    ["terminal", "#000000"],
    ["terminal", "#ffffff"],
  ])("are readable in the skin %s on %s", (name, ground) => {
    const skin = skinAt(name, { depth: "16", ground: rgbOf(ground) });
    expect(Object.values(skin).some((style: Style) => style.color !== undefined)).toBe(true);
    expect(unreadable(skin, ground, { palette })).toEqual([]);
  });

  it("are not used on a background that is not known, or is between black and white", () => {
    const none = skinAt("mono", { depth: "16", ground: undefined });
    expect(skinAt("terminal", { depth: "16", ground: undefined })).toEqual(none);
    expect(skinAt("terminal", { depth: "16", ground: rgbOf("#555555") })).toEqual(none);
  });
});

describe("a theme", () => {
  const colours = {
    text: "#222222",
    muted: "#777777",
    accent: "#ff00aa",
    good: "#00ff00",
    attention: "#ffff00",
    danger: "#ff0000",
  };
  const themes = new Map([[themeSkin("neon"), colours]]);

  it.each(fixed)("is made readable on each background with %s colours", (depth) => {
    for (const ground of reported) {
      const skin = skinAt(themeSkin("neon"), { depth, ground: rgbOf(ground) }, themes);
      expect(unreadable(skin, ground)).toEqual([]);
    }
  });

  it("keeps its colours where they are readable", () => {
    const canvas = { depth: "24 bits" as ColourDepth, ground: rgbOf("#000000") };
    expect(skinAt(themeSkin("neon"), canvas, themes).good).toEqual({ color: "#00ff00" });
  });

  it("that is gone leaves the default skin", () => {
    const canvas = { depth: "24 bits" as ColourDepth, ground: undefined };
    expect(skinAt(themeSkin("gone"), canvas)).toEqual(skinAt("terminal", canvas));
  });
});

it("the name of a skin is known, or that of a theme file", () => {
  expect(["dark", "theme:neon", "constructor", "theme:../x", "theme:"].map(isSkinName)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
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
    { env: { TERM: "xterm" }, depth: "16" },
    { env: { TERM: "vt100" }, depth: "none" },
    { env: { TERM: "xterm-256color", NO_COLOR: "1" }, depth: "none" },
    { env: { TERM: "xterm-256color", FORCE_COLOR: "1" }, depth: "16" },
    { env: { TERM: "xterm-kitty" }, depth: "24 bits" },
    { env: {}, platform: "win32", depth: "24 bits" },
  ];

  it.each(cases)("$env show $depth", ({ env, platform = "linux", depth }) => {
    expect(colourDepthOf({ env, platform })).toBe(depth);
  });
});
