import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";

const url = ["--ai-url", "http://models.example.org/v1", "--ai-chat-model", "large"];

test.each([
  [
    "a model without an endpoint",
    ["--ai-chat-model", "large"],
    {},
    "--ai-chat-model needs --ai-url",
  ],
  ["an endpoint without a model", url.slice(0, 2), {}, "needs the name of a chat"],
  ["an address of no endpoint", [], { AI_BASE_URL: "ftp://x" }, "must be an http or https URL"],
  ["a key over plain http", url, { AI_API_KEY: "sk-secret" }, "must begin with https://"],
  ["a missing key file", [...url, "--ai-key-file", "nowhere/key"], {}, "cannot read"],
])("serve refuses %s before it opens its data", async (_what, words, variables, expected) => {
  const dataDir = join(await temporaryDirectory("models"), "data");
  const { exitCode, stderr } = await runCommand(["serve", "--data-dir", dataDir, ...words], {
    variables,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(expected);
  expect(stderr).not.toContain("sk-secret");
});

test("serve reads a key from a file", async () => {
  const directory = await temporaryDirectory("models");
  const file = join(directory, "key");
  await writeFile(file, "sk with a space\n");
  const words = ["serve", "--data-dir", directory, ...url, "--ai-key-file", file];
  const { exitCode, stderr } = await runCommand(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("one line of visible ASCII");
  expect(stderr).not.toContain("with a space");
});
