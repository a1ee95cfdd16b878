import { expect, it } from "vitest";
import { readTheme } from "#ui/kit/theme/theme-file.ts";

const colours = {
  muted: "#9aa5b1",
  accent: "#7cc4ff",
  good: "#8ddb8c",
  attention: "#f2c55c",
  danger: "#ff9d96",
};

it("takes five colours, and that of texts", () => {
  expect(readTheme(colours)).toEqual(colours);
  expect(readTheme({ ...colours, text: "#ffffff" })).toEqual({ ...colours, text: "#ffffff" });
});

it.each([
  ["another value", [], "it must be a JSON object of six colours"],
  ["no JSON", undefined, "it must be a JSON object of six colours"],
  ["a missing role", { accent: "#7cc4ff" }, 'muted must be a colour such as "#7cc4ff"'],
  [
    "a name of a colour",
    { ...colours, danger: "red" },
    'danger must be a colour such as "#7cc4ff"',
  ],
  ["a text of another kind", { ...colours, text: 1 }, 'text must be a colour such as "#7cc4ff"'],
  [
    "another role",
    { ...colours, border: "#ffffff" },
    '"border" is not a role: text, muted, accent, good, attention, danger',
  ],
])("says why %s is not a theme", (_name, value, fault) => {
  expect(readTheme(value)).toBe(fault);
});
