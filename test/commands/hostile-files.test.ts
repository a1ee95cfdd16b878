import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "./world.ts";

/** Commands with a file of the project that has no end, or whose opening waits for a writer. */
const hostileFiles: readonly (readonly [words: string, file: string, stderr: string])[] = [
  ["update", ".svc/project.json", "is damaged"],
  ["skill", "SKILL.md", "svc has not made it"],
  ["blocks validate --file blocks.json", "blocks.json", "can't be read"],
  ["dev --skip-checks", "package.json", "package.json has no script"],
];

async function projectWith(file: string, make: (path: string) => Promise<unknown>) {
  const folder = await temporaryDirectory("hostile");
  await Bun.write(join(folder, "src/eai.config/object-types.ts"), "export default [];");
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await make(path);
  return folder;
}

const kinds: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ["a link to an endless device", (path) => symlink("/dev/zero", path)],
  ["a pipe without a writer", (path) => Bun.spawn(["mkfifo", path]).exited],
];

const cases = kinds.flatMap(([kind, make]) =>
  hostileFiles.map(([words, file, stderr]) => ({ kind, make, words, file, stderr })),
);

test.each(cases)("$kind ends `svc $words` at once", async ({ make, words, file, stderr }) => {
  const currentDirectory = await projectWith(file, make);
  const called = await runCommand(words.split(" "), { currentDirectory });
  expect([called.exitCode, called.stderr]).toEqual([1, expect.stringContaining(stderr)]);
});

test("an export of an audit log without the end of a line is refused", async () => {
  const { exitCode, stderr } = await runCommand(["audit", "verify", "--input", "/dev/zero"]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("is not an NDJSON export")]);
});
