import { expect, test } from "vitest";
import { errorCodes } from "#test/specification/errors.ts";
import { runCommand } from "./world.ts";

/** The messages of spec 7.1; suggestions are the product's texts. */
const catalog = errorCodes
  .filter(({ figures }) => figures !== "")
  .map(({ name, figures }) => ({ code: name, message: figures }));

test("lists the catalog", async () => {
  const { exitCode, json } = await runCommand("errors --format json");
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({
    errors: expect.arrayContaining(
      catalog.map((entry) =>
        expect.objectContaining({ ...entry, suggestion: expect.stringMatching(/\w/) }),
      ),
    ),
  });
  const text = await runCommand("errors", { terminal: 80 });
  const lines = text.stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^CODE +EXIT +MESSAGE +SUGGESTION$/);
  expect(lines.every((line) => Bun.stringWidth(line) <= 80)).toBe(true);
});

test.each(["E201", "e201"])("explains %s", async (code) => {
  const { exitCode, stdout } = await runCommand(["errors", code]);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "code        E201",
    "message     Platform API unreachable: {url}",
    "suggestion  Check network and `BASE_URL_PUBLIC_API`",
    "exit code   1",
    "raised      No answer came: the connection failed, broke or exceeded its time limit.",
    "",
  ]);
});

const exits: readonly [string, number][] = [
  ["E101", 4],
  ["E104", 4],
  ["E201", 1],
  ["E303", 2],
  ["TYPES_DEFINE_UNSUPPORTED", 1],
  ["resource_index_apply_unsupported", 1],
  ["CONTEXT_INVALID", 1],
  ["context_unreadable", 1],
  ["context_too_large", 1],
];
test.each(exits)("%s has its exit code, and says when it is raised", async (code, exitCode) => {
  const { json } = await runCommand(["errors", code, "--format", "json"]);
  expect(json).toMatchObject({ exitCode, raised: expect.stringMatching(/\w.*\.$/) });
  expect(json).toHaveProperty("code", expect.stringMatching(new RegExp(`^${code}$`, "i")));
});

test("every code can be looked up, and a long explanation fits the terminal", async () => {
  const { json } = await runCommand("errors --format json");
  expect(json).toEqual({ errors: expect.any(Array) });
  const { errors } = json as { errors: { code: string }[] };
  expect(errors.length).toBeGreaterThanOrEqual(25);
  for (const entry of errors) {
    const one = await runCommand(["errors", entry.code, "--format", "json"]);
    expect(one.json).toEqual(entry);
    const text = await runCommand(["errors", entry.code], { terminal: 80 });
    expect(text.stdout.split("\n").filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
  }
});

const typos: readonly [string, string][] = [
  ["E20l", "E201"],
  ["TYPE_DEFINE_UNSUPPORTED", "TYPES_DEFINE_UNSUPPORTED"],
  ["context-invalid", "context_invalid"],
];
test.each(typos)("%s is a typo of %s", async (typed, meant) => {
  const { exitCode, stderr } = await runCommand(["errors", typed]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`Did you mean \`svc errors ${meant}\`?`);
});

test("an unknown code is a catalog error, with the help hint", async () => {
  const { exitCode, stdout, stderr } = await runCommand("errors E999");
  expect(exitCode).toBe(1);
  expect(stdout).toBe("");
  expect(stderr.split("\n")).toEqual([
    "Error E202: Error code E999 not found",
    "  `svc errors` lists all codes",
    "→ Verify the ID or name",
    "Help: `svc errors --help`, `svc errors E202`",
    "",
  ]);
  const { json } = await runCommand("errors constructor --format json");
  expect(json).toMatchObject({ error: { code: "E202" } });
});
