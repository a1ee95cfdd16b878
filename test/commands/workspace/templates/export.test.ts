import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("the definitions of a template are printed as JSON", async () => {
  const { requests, stdout, exitCode } = await sent("workspace templates export blank");
  expect([exitCode, requests]).toEqual([0, [["starterTemplates.read", { key: "blank" }]]]);
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ name: "word" })]);
});
