import { Glob } from "bun";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { commandTable } from "#commands/registry.ts";
import { routes } from "#contract/index.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { platformDown, runCommand, type CallSettings } from "./world.ts";
import { callsAt } from "./trial-calls.ts";

const own = {
  id: "tree-register",
  name: "Tree register",
  summary: "Trees under protection",
  routes: ["GET /v4/identity/tenants"],
};

async function project(blocks?: unknown): Promise<string> {
  const directory = await temporaryDirectory("project");
  await Bun.write(join(directory, "src/eai.config/object-types.json"), "[]");
  if (blocks !== undefined) {
    await Bun.write(join(directory, "src/eai.config/blocks.json"), JSON.stringify(blocks));
  }
  return directory;
}

/** The catalog needs neither sign-in nor network. */
function svc(words: string, settings: CallSettings = {}) {
  return runCommand(words, { fetch: platformDown, ...settings });
}

const listed = z.object({
  groupBy: z.string(),
  total: z.number(),
  groups: z.array(
    z.object({
      name: z.string(),
      blocks: z.array(
        z.looseObject({
          id: z.string(),
          kind: z.string(),
          lane: z.string(),
          coupling: z.string(),
          readiness: z.string(),
          packageProfile: z.string(),
          routes: z.array(z.string()),
          commands: z.array(z.string()),
        }),
      ),
    }),
  ),
});

async function list(words = "", settings: CallSettings = {}) {
  const { json } = await svc(`blocks list --format json${words}`, settings);
  return listed.parse(json);
}

async function blocksOf(words = "", settings: CallSettings = {}) {
  return (await list(words, settings)).groups.flatMap(({ blocks }) => blocks);
}

describe("the catalog", () => {
  test("has every route of the interface and every command, once", async () => {
    const blocks = await blocksOf();
    const inApi = blocks.filter(({ kind }) => kind === "api").flatMap((block) => block.routes);
    const contract = Object.values(routes).flatMap((domain) =>
      Object.values(domain).map(({ method, path }) => `${method} ${path}`),
    );
    expect(inApi.toSorted()).toEqual(contract.toSorted());
    const inCommands = blocks
      .filter(({ kind }) => kind === "commands")
      .flatMap((block) => block.commands);
    expect(inCommands.toSorted()).toEqual(commandTable.commands.map(({ path }) => path).toSorted());
  });

  test("derives lane, coupling and readiness from the facts", async () => {
    const byId = new Map((await blocksOf()).map((block) => [block.id, block]));
    expect(byId.get("api-documents")).toMatchObject({
      lane: "product",
      coupling: "external-with-adapter",
      packageProfile: "hybrid",
    });
    expect(byId.get("api-identity")).toMatchObject({ lane: "foundation" });
    expect(byId.get("command-serve")).toMatchObject({
      lane: "dev",
      coupling: "internal-only",
      readiness: "internal",
      packageProfile: "internal",
    });
    expect(byId.get("command-types")).toMatchObject({ lane: "addon", readiness: "preview" });
    expect(byId.get("starter-blank-vertical-template")).toMatchObject({ kind: "template" });
  });

  test("calls a block ready only when a test names each of its commands", async () => {
    const root = join(import.meta.dirname, "..");
    const files = await Array.fromAsync(new Glob("**/*.test.ts").scan({ cwd: root }));
    const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()));
    const trials = (["embedded", "other", "local"] as const).flatMap((place) => callsAt(place));
    const tests = [...texts, ...trials.map(({ words }) => words)].join("\n");
    const ready = await blocksOf(" --readiness public-ready");
    const commands = ready.flatMap((block) => block.commands);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((path) => !tests.includes(path))).toEqual([]);
  });
});

describe("blocks list", () => {
  test.each([
    ["--lane dev", "lane", "dev"],
    ["--coupling internal-only", "coupling", "internal-only"],
    ["--readiness preview", "readiness", "preview"],
    ["--package-profile hybrid", "packageProfile", "hybrid"],
  ] as const)("%s", async (words, member, value) => {
    const all = await blocksOf();
    const some = await blocksOf(` ${words}`);
    expect(some.map(({ id }) => id).toSorted()).toEqual(
      all
        .filter((block) => block[member] === value)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
  });

  test.each([
    ["lane", "lane"],
    ["package", "package"],
    ["coupling", "coupling"],
    ["profile", "packageProfile"],
    ["readiness", "readiness"],
  ])("--group-by %s", async (grouping, member) => {
    const { groups, groupBy, total } = await list(` --group-by ${grouping}`);
    expect(groupBy).toBe(grouping);
    for (const { name, blocks } of groups) {
      for (const block of blocks) expect(block[member as "lane"]).toBe(name);
    }
    expect(groups.flatMap(({ blocks }) => blocks)).toHaveLength(total);
  });

  test("--custom lists the project's own blocks", async () => {
    const currentDirectory = await project([own]);
    expect(await blocksOf(" --custom", { currentDirectory })).toMatchObject([
      { ...own, kind: "custom", lane: "addon", readiness: "preview" },
    ]);
    expect(await blocksOf("", { currentDirectory })).toContainEqual(
      expect.objectContaining({ id: own.id }),
    );
    const none = await svc("blocks list --custom", { currentDirectory: await project() });
    expect(none).toMatchObject({ exitCode: 0, stdout: "" });
    expect(none.stderr).toBe("The project defines no blocks\n");
  });

  test("shows a heading for each group", async () => {
    const { stdout } = await svc("blocks list --lane dev --group-by readiness");
    expect(stdout).toMatch(/^public-ready \(\d+\)\nID/);
    expect(stdout).toContain("internal (1)");
  });

  test("text of a hostile file is harmless", async () => {
    const currentDirectory = await project([{ ...own, summary: "\u001b[2Jgone" }]);
    const { stdout } = await svc("blocks describe tree-register", { currentDirectory });
    expect(stdout).toContain("gone");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("blocks describe and readiness", () => {
  test("show one block with its reasons", async () => {
    const { stdout } = await svc("blocks describe api-chat");
    expect(stdout).toContain("POST /v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}");
    expect(stdout).toContain("Streams bytes or events");
    const { json } = await svc("blocks readiness api-chat --format json");
    expect(json).toMatchObject({ blocks: [{ id: "api-chat", reasons: expect.any(Array) }] });
  });

  test("count the states of all blocks", async () => {
    const { json } = await svc("blocks readiness --format json");
    const { counts, blocks } = z
      .object({ counts: z.record(z.string(), z.number()), blocks: z.array(z.unknown()) })
      .parse(json);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(blocks.length);
    expect(counts["blocked"]).toBe(0);
  });

  test("suggest the nearest ID", async () => {
    const { exitCode, json } = await svc("blocks describe api-document --format json");
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: { code: "E202", hint: "Did you mean `api-documents`?" },
    });
  });
});

describe("blocks schema and validate", () => {
  test("the schema describes a file of blocks, in both formats", async () => {
    const text = await svc("blocks schema");
    const { json } = await svc("blocks schema --format json");
    expect(JSON.parse(text.stdout)).toEqual(json);
    expect(json).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
    expect(text.stdout).toContain("external-with-adapter");
  });

  test("without a project the catalog itself is checked", async () => {
    const { exitCode, json } = await svc("blocks validate --strict --format json");
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ valid: true, strict: true, faults: [] });
  });

  test("--file names each fault by its pointer", async () => {
    const currentDirectory = await project();
    const file = join(currentDirectory, "some.json");
    await Bun.write(file, JSON.stringify([own, own, { ...own, id: "Bad Id" }]));
    const bad = await svc("blocks validate --file some.json --format json", { currentDirectory });
    expect(bad.exitCode).toBe(1);
    expect(bad.json).toMatchObject({
      valid: false,
      faults: [{ pointer: "#/2/id", detail: "must be kebab-case, e.g. tree-register" }],
    });
    await Bun.write(file, JSON.stringify({ blocks: [own, own] }));
    const twice = await svc("blocks validate --file some.json --format json", { currentDirectory });
    expect(twice.json).toMatchObject({
      faults: [{ pointer: "#/1/id", detail: '"tree-register" is given twice' }],
    });
    await Bun.write(file, "{");
    const broken = await svc("blocks validate --file some.json", { currentDirectory });
    expect(broken).toMatchObject({ exitCode: 1, stdout: "" });
    expect(broken.stderr).toContain("Error E304");
    const absent = await svc("blocks validate --file absent.json", { currentDirectory });
    expect(absent.stderr).toContain("absent.json does not exist");
  });

  test("--strict refuses unknown members, routes and commands", async () => {
    const currentDirectory = await project([{ ...own, colour: "green" }]);
    const plain = await svc("blocks validate --format json", { currentDirectory });
    expect(plain).toMatchObject({ exitCode: 0, json: { valid: true, blocks: 1 } });
    const strict = await svc("blocks validate --strict --format json", { currentDirectory });
    expect(strict).toMatchObject({ exitCode: 1, json: { valid: false } });
    const unknown = await project([{ ...own, routes: ["GET /v4/trees"], commands: ["fell"] }]);
    const parts = await svc("blocks validate --strict --format json", {
      currentDirectory: unknown,
    });
    expect(parts.json).toMatchObject({
      faults: [
        { pointer: "#/0/routes/0", detail: '"GET /v4/trees" does not exist' },
        { pointer: "#/0/commands/0", detail: '"fell" does not exist' },
      ],
    });
  });
});
