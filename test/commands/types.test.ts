import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();
const source = "src/eai.config/object-types.ts";

/** A new project with these definitions in its Object Types file. */
async function project(definitions: string | readonly unknown[]): Promise<string> {
  const directory = await temporaryDirectory("project");
  const text =
    typeof definitions === "string"
      ? definitions
      : `export const objectTypes = ${JSON.stringify(definitions)};\n`;
  await Bun.write(join(directory, source), text);
  return directory;
}

const owner = { name: "TreeOwner", slug: "tree-owner", properties: { name: { type: "string" } } };
const tree = {
  name: "Tree",
  slug: "tree",
  properties: { species: { type: "string", required: true }, height: { type: "number" } },
  linkTypes: [{ name: "owner", targetObjectType: "TreeOwner" }],
};

describe("types validate", () => {
  const local = { as: "anonymous", fetch: platformDown } as const;

  test("needs neither sign-in nor network", async () => {
    const currentDirectory = await project([tree, owner]);
    const { exitCode, stdout, stderr } = await the().svc("types validate", {
      ...local,
      currentDirectory,
    });
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "NAME       SLUG        PROPERTIES  LINKS",
      "Tree       tree                 2      1",
      "TreeOwner  tree-owner           1      0",
      "",
    ]);
    expect(stderr).toBe(`Running ${source}\n${source} is valid\n`);
    const json = await the().json("types validate", { ...local, currentDirectory });
    expect(json.json).toEqual({
      valid: true,
      file: source,
      objectTypes: [
        { name: "Tree", slug: "tree", properties: 2, links: 1 },
        { name: "TreeOwner", slug: "tree-owner", properties: 1, links: 0 },
      ],
    });
  });

  test("names the file that it reads, if there are two", async () => {
    const currentDirectory = await project([tree, owner]);
    await Bun.write(join(currentDirectory, source.replace(".ts", ".json")), "[]");
    const { exitCode, stderr } = await the().svc("types validate", { ...local, currentDirectory });
    expect(exitCode).toBe(0);
    expect(stderr.split("\n")).toEqual([
      `Running ${source}`,
      `Reading ${source}: object-types.json is used only if that file imports it`,
      `${source} is valid`,
      "",
    ]);
  });

  test("reports every fault with its pointer", async () => {
    const currentDirectory = await project([
      { ...tree, properties: { "bad name": { type: "string" }, height: { type: "number" } } },
      { ...owner, slug: "Tree Owner" },
      { ...owner, slug: "query" },
      { name: "Span", slug: "span", properties: { days: { type: "integer", minLength: 3 } } },
    ]);
    const { exitCode, json } = await the().json("types validate", { ...local, currentDirectory });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E301",
        message: `Invalid schema: 5 faults in ${source}`,
        suggestion: "Fix the schema errors",
        errors: [
          { pointer: "#/2/name", detail: '"TreeOwner" is already used by entry 1' },
          { pointer: "#/0/properties/bad%20name" },
          { pointer: "#/1/slug", detail: "must be in kebab-case" },
          { pointer: "#/2/slug", detail: "is reserved for a route segment" },
          {
            pointer: "#/3/properties/days/minLength",
            detail: "does not apply to the type integer",
          },
        ],
      },
    });
    const text = await the().svc("types validate", { ...local, currentDirectory });
    expect(text.stderr).toContain("\n  #/1/slug: must be in kebab-case\n");
    // Text shows the name itself, JSON an escaped pointer.
    expect(text.stderr).toContain("\n  #/0/properties/bad name: ");
  });

  test("reports faults in the platform's words, unknown names with their pointers", async () => {
    const currentDirectory = await project([
      { name: "Span", properties: { "a.b": { type: "string" }, days: { type: "int" } }, zz: 1 },
    ]);
    const { json } = await the().json("types validate", { ...local, currentDirectory });
    expect(json).toMatchObject({
      error: {
        errors: [
          {
            pointer: "#/0/properties/a.b",
            detail: "must start with a letter or _ and have only letters, digits and _",
          },
          {
            pointer: "#/0/properties/days/type",
            detail: expect.stringMatching(/^must be "string" or "text" or "integer" or /),
          },
          { pointer: "#/0/slug", detail: "is required" },
          { pointer: "#/0/zz", detail: "is not known here" },
        ],
      },
    });
  });

  test("outside a project is E001, without the file E004, with a broken one E004", async () => {
    const nowhere = await temporaryDirectory("nowhere");
    const outside = await the().json("types validate", { ...local, currentDirectory: nowhere });
    expect(outside).toMatchObject({ exitCode: 1, json: { error: { code: "E001" } } });
    await Bun.write(join(nowhere, ".env.local"), "");
    const without = await the().json("types validate", { ...local, currentDirectory: nowhere });
    expect(without.json).toMatchObject({ error: { code: "E004" } });
    const currentDirectory = await project("export const objectTypes = [;");
    const broken = await the().json("types validate", { ...local, currentDirectory });
    expect(broken.json).toMatchObject({
      error: {
        code: "E004",
        message: "Object Types file not found or invalid",
        hint: expect.stringMatching(/^The file can't be used: /),
      },
    });
  });
});

describe("types seed", () => {
  test("plans, applies, and later changes only the differences", async () => {
    const asBuilder = { as: "tenant-builder" } as const;
    const first = { ...asBuilder, currentDirectory: await project([tree, owner]) };
    const planned = await the().json("types seed --dry-run", first);
    expect(planned).toMatchObject({
      exitCode: 0,
      json: {
        environment: "dev",
        tenantId: the().platform.workspaces.tenant,
        dryRun: true,
        results: [
          // The targets of links come first.
          {
            slug: "tree-owner",
            state: "planned",
            actions: ["create tree-owner", "add property name"],
          },
          {
            slug: "tree",
            state: "planned",
            actions: [
              "create tree",
              "add property species",
              "add property height",
              "add link owner",
            ],
          },
        ],
      },
    });
    const states = async (words: string, settings: typeof first): Promise<unknown> =>
      (await the().json(words, settings)).json;
    expect(await states("types seed", first)).toMatchObject({
      dryRun: false,
      results: [{ state: "applied" }, { state: "applied" }],
    });
    expect(await states("types seed", first)).toMatchObject({
      results: [
        { slug: "tree-owner", state: "already_applied", actions: [] },
        { slug: "tree", state: "already_applied", actions: [] },
      ],
    });
    const changed = {
      ...tree,
      properties: { species: { type: "string" }, girth: { type: "number" } },
    };
    const second = { ...asBuilder, currentDirectory: await project([changed, owner]) };
    expect(await states("types seed", second)).toMatchObject({
      results: [
        { state: "already_applied" },
        {
          state: "applied",
          actions: ["change property species (required)", "rename property height to girth"],
        },
      ],
    });
    const schema = await the().json("resources schema");
    expect(schema.json).toMatchObject({
      objectTypes: expect.arrayContaining([
        expect.objectContaining({
          slug: "tree",
          linkTypes: [expect.objectContaining({ targetObjectType: "tree-owner" })],
        }),
      ]),
    });
  });

  test("a file without types is reported, without an empty table", async () => {
    const currentDirectory = await project([]);
    const file = "src/eai.config/object-types.ts";
    const validated = await the().svc("types validate", { currentDirectory });
    expect([validated.exitCode, validated.stdout]).toEqual([0, ""]);
    expect(validated.stderr).toBe(`Running ${file}\n${file} is valid, but has no Object Types\n`);
    const seeded = await the().svc("types seed", { currentDirectory });
    expect([seeded.exitCode, seeded.stdout]).toEqual([0, ""]);
    expect(seeded.stderr).toBe(`Running ${file}\nNo Object Types in ${file}: nothing to publish\n`);
    const { stderr, json } = await the().json("types seed", { currentDirectory });
    expect({ stderr, json }).toMatchObject({ stderr: `Running ${file}\n`, json: { results: [] } });
  });

  test("--tenant-key names the workspace by its slug", async () => {
    const currentDirectory = await project([owner]);
    const { json } = await the().json("types seed --tenant-key other --dry-run", {
      as: "outsider",
      currentDirectory,
    });
    expect(json).toMatchObject({ tenantId: the().platform.workspaces.other });
    const both = await the().svc("types seed --tenant-key other --tenant-id tenant", {
      currentDirectory,
    });
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain("--tenant-key and --tenant-id exclude each other");
  });

  test("a missing permission to publish is reported", async () => {
    const currentDirectory = await project([
      { name: "First", slug: "first", properties: {} },
      { name: "Second", slug: "second", properties: {} },
    ]);
    const settings = { as: "tenant-staff", currentDirectory } as const;
    const { exitCode, json } = await the().json("types seed", settings);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E204", status: 403 } },
    });
  });

  test("faults of the file are refused before any network call", async () => {
    const currentDirectory = await project([{ name: "lower", slug: "lower", properties: {} }]);
    const { exitCode, json } = await the().json("types seed", {
      currentDirectory,
      fetch: platformDown,
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E301", errors: [{ pointer: "#/0/name" }] } });
  });
});

describe("types pull", () => {
  test("writes all types of the workspace into one file, which reads back the same", async () => {
    const asBuilder = { as: "tenant-builder" } as const;
    const definitions = [owner, tree, { name: "Pulled", slug: "pulled", properties: {} }];
    await the().svc("types seed", { ...asBuilder, currentDirectory: await project(definitions) });
    const currentDirectory = await project(definitions);
    const { exitCode, json, stderr } = await the().json("types pull", { currentDirectory });
    const output = join(currentDirectory, "src/eai.config/object-types.generated.ts");
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(json).toMatchObject({ output, tenantId: the().platform.workspaces.tenant });
    const pulled: unknown = await import(output);
    expect(pulled).toMatchObject({
      objectTypes: expect.arrayContaining([expect.objectContaining({ slug: "pulled" })]),
    });
    const text = await the().svc("types pull --output here.ts", { currentDirectory });
    expect(text.stdout).toMatch(/^\d+ Object Types in here\.ts\n$/);
    expect(await Bun.file(join(currentDirectory, "here.ts")).text()).toBe(
      await Bun.file(output).text(),
    );
  });

  test("refuses the reserved name, links and folders, and changes no file", async () => {
    const currentDirectory = await project([owner]);
    const before = await Bun.file(join(currentDirectory, source)).text();
    await Bun.write(join(currentDirectory, "target.ts"), "kept");
    await symlink("target.ts", join(currentDirectory, "link.ts"));
    await symlink("src", join(currentDirectory, "linked"));
    const refusals = [
      [source, "object-types.ts is reserved for the project's own definitions"],
      ["link.ts", "the output is a link"],
      ["linked/new.ts", "the output's folder is a link"],
      ["src", "the output is not a file"],
      ["-", "--output - is not a path"],
      ["missing/new.ts", "the output's folder does not exist"],
    ] as const;
    for (const [output, reason] of refusals) {
      const { exitCode, json } = await the().json(["types", "pull", "--output", output], {
        currentDirectory,
        fetch: platformDown,
      });
      expect(exitCode).toBe(2);
      expect(json).toMatchObject({ error: { code: "E305", message: `Invalid input: ${reason}` } });
    }
    expect(await Bun.file(join(currentDirectory, source)).text()).toBe(before);
    expect(await Bun.file(join(currentDirectory, "target.ts")).text()).toBe("kept");
    expect((await readdir(currentDirectory)).toSorted()).toEqual([
      "link.ts",
      "linked",
      "src",
      "target.ts",
    ]);
  });

  test("fails on drift between the two scans, and keeps the file", async () => {
    const currentDirectory = await project([owner]);
    await Bun.write(join(currentDirectory, "old.ts"), "old");
    let pages = 0;
    const { exitCode, json } = await the().json("types pull --output old.ts", {
      currentDirectory,
      fetch: async (request) => {
        const response = await the().platform.platform.fetch(request);
        pages += 1;
        if (pages < 2) return response;
        const text = await response.text();
        return new Response(text.replace("Pulled", "Changed"), response);
      },
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: { code: "E203", message: expect.stringContaining("the two scans differ in 1 types") },
    });
    expect(await Bun.file(join(currentDirectory, "old.ts")).text()).toBe("old");
  });
});
