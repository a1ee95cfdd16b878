import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { defaultOf } from "#lib/compressed-module.ts";

const require = createRequire(import.meta.url);

test("a library that was an ES module has its own default export", async () => {
  const imported: { readonly default: unknown } = await import("@kenjiuno/msgreader");
  const exported: unknown = require("@kenjiuno/msgreader");
  expect(defaultOf(exported)).toBe(imported.default);
  expect(imported.default).toBeTypeOf("function");
});

test.each(["papaparse", "saxes"])("all exports of %s are its default export", (name) => {
  const exported: unknown = require(name);
  expect(defaultOf(exported)).toBe(exported);
});

test("a default export that is no object stays as it is", () => {
  class Reader {}
  for (const exported of [Reader, null, undefined, "text"]) {
    expect(defaultOf(exported)).toBe(exported);
  }
});
