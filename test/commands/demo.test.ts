import { expect, test } from "vitest";
import { runCommand } from "./world.ts";

test("the tour and a command exclude each other", async () => {
  const words = ["demo", "--tour", "--", "workspace", "list"];
  const { exitCode, stdout, stderr } = await runCommand(words);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--tour and a command exclude each other");
});

test("a format before the words of a command is refused", async () => {
  const words = ["demo", "--format", "json", "--", "workspace", "list"];
  const { exitCode, stdout } = await runCommand(words);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: "E305", hint: "Put it after the command's words" },
  });
});
