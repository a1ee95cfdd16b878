import { describe, expect, test } from "vitest";
import * as z from "zod";
import { commandTable } from "#commands/registry.ts";
import { runCommand } from "../commands/world.ts";

const described = z.looseObject({
  command: z.string(),
  exitCodes: z.record(z.string(), z.string()),
  output: z.looseObject({}).optional(),
  outputLine: z.looseObject({}).optional(),
  error: z.looseObject({}),
});
const surface = z.looseObject({
  oneOf: z.array(described),
  globalOptions: z.looseObject({}),
  $defs: z.looseObject({}),
});

async function surfaceOf(words: string) {
  return surface.parse((await runCommand(words)).json);
}

describe("--describe", () => {
  test("names the exit codes, the output and the error of every command", async () => {
    const { oneOf } = await surfaceOf("--describe");
    for (const { command, exitCodes, output, outputLine, error } of oneOf) {
      const codes = Object.keys(exitCodes).map(Number);
      expect(codes).toEqual(expect.arrayContaining([0, 1, 2, 130]));
      expect([0, 1, 2, 4, 8, 130]).toEqual(expect.arrayContaining(codes));
      expect(error).toEqual({ $ref: "#/$defs/Failure" });
      const { formats } = commandTable.commands.find(({ path }) => path === command) ?? {};
      const schemas = [output, outputLine].filter((schema) => schema !== undefined);
      expect({ command, count: schemas.length }).toEqual({
        command,
        count: formats === false ? 0 : 1,
      });
    }
  });

  test("says which commands wait, and which need no sign-in", async () => {
    const { oneOf } = await surfaceOf("--describe");
    const codesOf = (path: string) =>
      Object.keys(oneOf.find(({ command }) => command === path)?.exitCodes ?? {});
    expect(codesOf("docs job")).toEqual(["0", "1", "2", "4", "8", "130"]);
    expect(codesOf("resources list")).toEqual(["0", "1", "2", "4", "130"]);
    expect(codesOf("types validate")).toEqual(["0", "1", "2", "130"]);
  });

  test("resolves every reference in a group and in one command", async () => {
    for (const words of ["--describe", "user --describe", "resources create --describe"]) {
      const { json } = await runCommand(words);
      const { $defs } = z.looseObject({ $defs: z.looseObject({}) }).parse(json);
      const references = JSON.stringify(json).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
      for (const [, name = ""] of references) expect(Object.keys($defs)).toContain(name);
    }
    const { oneOf } = await surfaceOf("user --describe");
    expect(oneOf.every(({ command }) => command.startsWith("user "))).toBe(true);
  });

  test("every command with rows has a list of that name in its output", async () => {
    const { json } = await runCommand("--describe");
    const text = new Map(
      surface.parse(json).oneOf.map((entry) => [entry.command, JSON.stringify(entry)]),
    );
    for (const { path, rows } of commandTable.commands) {
      for (const name of rows ?? []) {
        const list = new RegExp(`"${name}":\\{(?:"description":"[^"]*",)?"type":"array"|"\\$ref"`);
        expect({ path, text: text.get(path) }).toMatchObject({
          path,
          text: expect.stringMatching(list),
        });
      }
    }
  });

  test("as function tools: names, descriptions and parameters", async () => {
    const tool = z.strictObject({
      type: z.literal("function"),
      function: z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().min(10),
        parameters: z.looseObject({ type: z.literal("object"), required: z.array(z.string()) }),
      }),
    });
    const { json } = await runCommand("--describe --format openai-tools");
    const tools = z.array(tool).parse(json);
    const names = tools.map(({ function: { name } }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["resources_batch-create", "docs_upload"]));
    expect(names).not.toEqual(expect.arrayContaining(["serve"]));
    expect(names).not.toEqual(expect.arrayContaining(["login"]));
    const [create] = tools.filter(({ function: { name } }) => name === "resources_create");
    expect(create?.function.parameters).toMatchObject({
      properties: { type: { positional: true }, data: { type: "string" } },
      required: ["type"],
    });
    const one = await runCommand("docs job --describe --format=openai-tools");
    expect(z.array(tool).parse(one.json)).toHaveLength(1);
  });

  test("refuses another format", async () => {
    const { exitCode, stderr } = await runCommand("--describe --format yaml");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("openai-tools");
  });
});
