import { expect, test } from "vitest";
import {
  allOptions,
  formatOptionsOf,
  globalOptionsOf,
  spellings,
} from "#cli/input/global-options.ts";

const facts = { path: "x", summary: "X", arguments: [], options: {} };
const valuesOf = (more: object): unknown =>
  Object.entries(formatOptionsOf({ ...facts, ...more })).find(([name]) => name === "format")?.[1];

test.each([
  [{}, ["text", "json"]],
  [{ formats: "rows" }, ["text", "json", "csv", "ndjson"]],
  [{ rows: ["items"] }, ["text", "json", "ndjson"]],
])("a command with %j takes the formats %j", (more, values) => {
  expect(valuesOf(more)).toMatchObject({ values, placeholder: values.join("|") });
});

test("a command without formats has none, and its own options come before global ones", () => {
  expect(formatOptionsOf({ ...facts, formats: false })).toEqual({});
  const own = { version: { type: "number", minimum: 1, maximum: 9, description: "" } } as const;
  const command = { ...facts, options: own };
  expect(allOptions(command)["version"]).toBe(own.version);
  expect(Object.keys(globalOptionsOf(command))).not.toContain("version");
  expect(Object.keys(globalOptionsOf(command))).toContain("profile");
});

test("an option has its name, its aliases and its negation", () => {
  const options = {
    wait: { type: "boolean", negatable: true, description: "", aliases: ["block"] },
  } as const;
  expect([...spellings(options)]).toEqual([
    ["wait", "wait"],
    ["block", "wait"],
    ["no-wait", "wait"],
  ]);
});
