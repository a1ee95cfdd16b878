import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("the schema of a file of blocks is printed without any request", async () => {
  const { exitCode, requests, stdout } = await sent("blocks schema --format json");
  expect([exitCode, requests]).toEqual([0, []]);
  expect(JSON.parse(stdout)).toMatchObject({ title: "Building blocks of a project" });
});
