import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a block is printed with its routes and commands", async () => {
  const { exitCode, requests, stdout } = await sent("blocks describe api-health");
  expect([exitCode, requests]).toEqual([0, []]);
  expect(stdout).toMatch(/^id +api-health$/m);
  expect(stdout).toMatch(/^routes\n {2}GET /m);
});

test("an unknown block is not found", async () => {
  const unknown = await sent("blocks describe none");
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain('Building block "none" not found');
});
