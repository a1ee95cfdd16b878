import { expect, test } from "vitest";
import { runCommand } from "./world.ts";

test("the tour and a command of one's own exclude each other", async () => {
  const words = ["demo", "--tour", "--", "workspace", "list"];
  const { exitCode, stdout, stderr } = await runCommand(words);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--tour and a command exclude each other");
});
