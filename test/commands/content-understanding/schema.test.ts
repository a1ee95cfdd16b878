import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("the schema of a manifest is printed without any request", async () => {
  const { exitCode, requests, stdout } = await sent("content-understanding schema --format json");
  expect([exitCode, requests]).toEqual([0, []]);
  expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining("2020-12") });
});
