import { expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { sent } from "../stub-platform.ts";

test("a file is classified for a workflow, and both of its keys are needed", async () => {
  const currentDirectory = await temporaryDirectory();
  await writeFile(join(currentDirectory, "plan.txt"), "the wall");
  const words = "docs classify plan.txt --vertical-key a";
  const { requests } = await sent(`${words} --workflow-key b`, { currentDirectory });
  expect(requests.length).toBeGreaterThan(0);
  expect(await sent(words, { currentDirectory })).toMatchObject({ exitCode: 2, requests: [] });
});
