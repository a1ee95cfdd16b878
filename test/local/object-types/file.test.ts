import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import {
  checkOutputPath,
  loadObjectTypes,
  writeObjectTypesFile,
} from "#local/object-types/file.ts";
import { renderObjectTypes } from "#local/object-types/file.ts";
import type { Project } from "#local/surface.ts";
import { svcExecutable } from "../../support/svc.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function project(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const root = await temporaryDirectory("project");
  const configDirectory = join(root, "src/eai.config");
  await mkdir(configDirectory, { recursive: true });
  for (const [name, text] of Object.entries(files))
    await writeFile(join(configDirectory, name), text);
  return { root, configDirectory, envFile: undefined, variables: {} };
}

const run = {
  command: [await svcExecutable()],
  variables: { PATH: process.env["PATH"], SVC_TOKEN: "secret-token", AWS_SECRET_ACCESS_KEY: "x" },
};

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "done",
    (error: unknown) => error,
  );
}

const permit = '{ name: "Permit", slug: "permit", properties: { title: { type: "string" } } }';
const plain = { name: "Permit", slug: "permit", properties: { title: { type: "string" } } };

describe("loading", () => {
  it.each([
    ["a list by name", `export const objectTypes = [${permit}];`],
    ["a list by its short name", `export const types = [${permit}];`],
    ["a default list", `export default [${permit}];`],
    ["an object by name", `export const objectTypes = { permit: ${permit} };`],
    ["a default object of definitions", `export default { permit: ${permit} };`],
    ["a default with the list in it", `export default { objectTypes: [${permit}] };`],
    ["one default definition", `export default ${permit};`],
    ["each definition by name", `export const helper = 7;\nexport const permit = ${permit};`],
    [
      "typed source",
      `interface T { name: string }\nconst one = ${permit} satisfies T;\nexport const objectTypes: T[] = [one] as const as unknown as T[];`,
    ],
  ])("takes %s", async (_name, source) => {
    const where = await project({ "object-types.ts": source });
    expect(await loadObjectTypes(where, run)).toEqual({
      file: join(where.configDirectory ?? "", "object-types.ts"),
      types: [plain],
      passedOver: undefined,
    });
  });

  it("follows the module's own imports", async () => {
    const where = await project({
      "shared.ts": 'export const title = { type: "string" } as const;',
      "object-types.ts":
        'import { title } from "./shared.ts";\nexport const objectTypes = [{ name: "Permit", slug: "permit", properties: { title } }];',
    });
    expect((await loadObjectTypes(where, run)).types).toEqual([plain]);
  });

  it("takes JSON", async () => {
    const where = await project({ "object-types.json": JSON.stringify([plain]) });
    expect((await loadObjectTypes(where, run)).types).toEqual([plain]);
  });

  it("refuses JSON in another encoding than UTF-8", async () => {
    const where = await project({ "object-types.json": `\ufeff${JSON.stringify([plain])}` });
    expect((await loadObjectTypes(where, run)).types).toEqual([plain]);
    const path = join(where.configDirectory ?? "", "object-types.json");
    await writeFile(path, `\ufeff${JSON.stringify([plain])}`, "utf16le");
    expect(await errorOf(loadObjectTypes(where, run))).toMatchObject({
      code: "E004",
      hint: "The file can't be used: it is not UTF-8 text",
    });
  });

  it("prefers the module to a JSON file in the same folder, and reports it", async () => {
    const where = await project({
      "object-types.json": JSON.stringify([{ ...plain, slug: "other" }]),
      "object-types.ts": `export const objectTypes = [${permit}];`,
    });
    expect(await loadObjectTypes(where, run)).toEqual({
      file: join(where.configDirectory ?? "", "object-types.ts"),
      types: [plain],
      passedOver: join(where.configDirectory ?? "", "object-types.json"),
    });
  });

  it("reads what pull has written", async () => {
    const where = await project();
    const path = join(where.configDirectory ?? "", "pulled.ts");
    const house = { type: "reference", targetObjectType: "house" } as const;
    const linkTypes = [{ name: "near", targetObjectType: "house" }];
    const properties = { home: house, homes: { type: "array", items: house } } as const;
    const target = { target_type: "house" };
    const read: ObjectType = {
      ...plain,
      id: "1",
      properties: {
        home: { ...house, ...target },
        homes: { type: "array", items: { ...house, ...target } },
      },
      linkTypes: linkTypes.map((link) => ({ ...link, ...target })),
    };
    await writeObjectTypesFile(path, [read]);
    await writeFile(
      join(where.configDirectory ?? "", "object-types.ts"),
      'export { objectTypes } from "./pulled.ts";',
    );
    expect((await loadObjectTypes(where, run)).types).toEqual([
      { ...plain, properties, linkTypes, actions: [] },
    ]);
  });

  it.each([
    ["no file", {}],
    ["a syntax error", { "object-types.ts": "export const = [" }],
    ["a module that throws", { "object-types.ts": 'throw new Error("no");' }],
    ["a module that ends the program", { "object-types.ts": "process.exit(0);" }],
    ["a missing import", { "object-types.ts": 'import "./none.ts";' }],
    ["a module without definitions", { "object-types.ts": "export const a = 1;" }],
    [
      "a circle",
      {
        "object-types.ts":
          "const a: Record<string, unknown> = { name: 1, properties: 2 }; a.a = a; export const objectTypes = [a];",
      },
    ],
    ["broken JSON", { "object-types.json": "{" }],
  ])("%s is E004", async (_name, files) => {
    expect(await errorOf(loadObjectTypes(await project(files), run))).toMatchObject({
      code: "E004",
    });
  });
});

describe("what JSON can't say", () => {
  it.each([
    ["f: () => 1", "#/0/properties/f is a function, which is not plain data"],
    ["big: { type: 'integer', maximum: 10n }", "#/0/properties/big/maximum is a bigint"],
    ["n: { type: 'number', minimum: NaN }", "#/0/properties/n/minimum is NaN"],
    ["'größe/m': { enum: [1, Symbol('x')] }", "#/0/properties/größe~1m/enum/1 is a symbol"],
    ["m: new Map()", "#/0/properties/m is a Map or a Set"],
    ["get m() { return this; }", "#/0/properties/m is a circular reference"],
  ])("is refused with its place, not left out: %s", async (property, words) => {
    const source = `export default [{ name: "A", slug: "a", properties: { ${property} } }];`;
    const error = await errorOf(loadObjectTypes(await project({ "object-types.ts": source }), run));
    expect(error).toMatchObject({ code: "E004", hint: expect.stringContaining(words) });
  });

  it("uses toJSON, and leaves out undefined members", async () => {
    const source =
      "const shared = { type: 'date', default: new Date(0), title: undefined };\n" +
      "export default [{ name: 'A', slug: 'a', properties: { one: shared, two: shared } }];";
    const { types } = await loadObjectTypes(await project({ "object-types.ts": source }), run);
    const shared = { type: "date", default: "1970-01-01T00:00:00.000Z" };
    expect(types).toEqual([{ name: "A", slug: "a", properties: { one: shared, two: shared } }]);
  });
});

describe("JSON that its parsed value would change", () => {
  const fileWith = (property: string): string =>
    `{"types":[{"name":"A","slug":"a","properties":{"x":{"type":"array","default":${property}}}}]}`;
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const place = "#/types/0/properties/x/default";

  it.each([
    ["a name twice", '{"a":1,"a":2}', `${place}/a is given more than once`],
    ["too many digits", "9007199254740993", `${place} has more digits than a number keeps`],
    ["a prototype", '{"__proto__":1}', `${place}/__proto__ is not a usable name`],
    ["100,000 levels", nested(100_000), "it nests deeper than 1000 levels"],
  ])("is refused with its place: %s", async (_name, property, words) => {
    const files = { "object-types.json": fileWith(property) };
    const error = await errorOf(loadObjectTypes(await project(files), run));
    expect(error).toMatchObject({ code: "E004", hint: expect.stringContaining(words) });
  });

  it("is also refused in a module", async () => {
    const source = (levels: number) => ({
      "object-types.ts":
        `let deep: unknown[] = [];\nfor (let n = 1; n < ${levels}; n += 1) deep = [deep];\n` +
        `export default [{ name: "A", slug: "a", properties: { x: { default: deep } } }];`,
    });
    const error = await errorOf(loadObjectTypes(await project(source(100_000)), run));
    const hint = "The file can't be used: it nests deeper than 1000 levels";
    expect(error).toMatchObject({ code: "E004", hint });
    const { types } = await loadObjectTypes(await project(source(900)), run);
    expect(JSON.stringify(types)).toContain(nested(900));
  });
});

describe("a module of a hostile project", () => {
  const valueOf = async (expression: string): Promise<unknown> => {
    const source =
      'import { readdirSync, readlinkSync } from "node:fs";\n' +
      `export default [{ name: "A", slug: "a", properties: { x: ${expression} } }];`;
    const { types } = await loadObjectTypes(await project({ "object-types.ts": source }), run);
    const [type] = types;
    return type;
  };

  it("sees no variable with a credential", async () => {
    expect(JSON.stringify(await valueOf("{ ...process.env }"))).not.toMatch(
      /SVC_TOKEN|AWS_|secret-token/,
    );
  });

  it.runIf(process.platform === "linux")("inherits no open file", async () => {
    const folder = await temporaryDirectory("inherited");
    const path = join(folder, "credential");
    await writeFile(path, "secret");
    // The command shows the output of a module, here the files that the module has open.
    const source =
      'import { readdirSync, readlinkSync } from "node:fs";\n' +
      'for (const fd of readdirSync("/proc/self/fd")) {\n' +
      '  try { console.error(`open ${fd} ${readlinkSync("/proc/self/fd/" + fd)}`); } catch {}\n' +
      '}\nexport default [{ name: "A", slug: "a", properties: {} }];';
    const where = await project({ "object-types.ts": source });
    // A shell leaves its descriptors open in the programs that it starts.
    const script = 'exec 9<"$1"; shift; exec "$@"';
    const words = ["sh", "-c", script, "sh", path, ...run.command, "types", "validate"];
    const child = Bun.spawn([...words, "--format", "json"], {
      cwd: where.root,
      env: { PATH: run.variables.PATH, HOME: folder },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, notes] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(notes).toContain("Running src/eai.config/object-types.ts");
    expect(notes).toMatch(/open 2 (?:pipe|socket):/);
    expect(out + notes).not.toContain("credential");
  });

  it("can not fill the memory with its output", async () => {
    const source = 'for (;;) require("node:fs").writeSync(1, "x".repeat(1_000_000));';
    const error = await errorOf(loadObjectTypes(await project({ "object-types.ts": source }), run));
    const hint = expect.stringContaining("more than 16 MiB of output");
    expect(error).toMatchObject({ code: "E004", hint });
  });
});

describe("a module that never ends", () => {
  it("is stopped when the caller aborts", async () => {
    const where = await project({ "object-types.ts": "for (;;);" });
    const stop = new AbortController();
    const loading = errorOf(loadObjectTypes(where, { ...run, signal: stop.signal }));
    stop.abort(new Error("interrupted"));
    expect(await loading).toMatchObject({ message: "interrupted" });
  });
});

describe("the output of pull", () => {
  const types: ObjectType[] = [
    {
      id: "2",
      name: "Licence",
      slug: "licence",
      properties: { zeta: { type: "string", required: true }, alpha: { type: "integer" } },
      tenant_id: "x",
      created_at: "2026-01-01T00:00:00.000Z",
      linkTypes: [{ name: "owner", targetObjectType: "person" }],
    },
    {
      id: "1",
      name: "Assess",
      slug: "assess-case",
      displayName: 'A "quoted"\u2028 name',
      properties: { "odd-name": { type: "string" }, ["__proto__"]: { type: "string" } },
    },
  ];

  it("is these very bytes", () => {
    expect(renderObjectTypes([types[0] ?? types[1]!]))
      .toBe(`// Generated by \`svc types pull\`: the next pull overwrites changes.
// \`createClient<typeof objectTypes>(…)\` of the library types records by these definitions.
export const objectTypes = [
  {
    name: "Licence",
    slug: "licence",
    properties: {
      alpha: {
        type: "integer",
      },
      zeta: {
        type: "string",
        required: true,
      },
    },
    linkTypes: [
      {
        name: "owner",
        targetObjectType: "person",
      },
    ],
    actions: [],
  },
] as const;
`);
  });

  it("does not depend on the order in which types and members came", () => {
    const turned = types.map((type) =>
      Object.assign(
        { id: "", name: "", slug: "", properties: {} },
        Object.fromEntries(Object.entries(type).toReversed()),
      ),
    );
    expect(renderObjectTypes(turned.toReversed())).toBe(renderObjectTypes(types));
    expect(renderObjectTypes(types).indexOf("assess-case")).toBeLessThan(
      renderObjectTypes(types).indexOf("licence"),
    );
  });

  it("keeps names that would change their meaning as source", async () => {
    const where = await project({ "object-types.ts": renderObjectTypes([types[1]!]) });
    const [loaded] = (await loadObjectTypes(where, run)).types;
    expect(loaded).toMatchObject({ displayName: 'A "quoted"\u2028 name' });
    const properties: unknown = Reflect.get(Object(loaded), "properties");
    expect(Object.keys(Object(properties))).toContain("odd-name");
  });

  it("escapes characters that an editor hides or that reorder the source", async () => {
    const hidden = "a\u202eb\u009bc\u200bd\ufeffe\u2028f\u{e0041}g";
    const type: ObjectType = {
      id: "1",
      name: hidden,
      slug: "hidden",
      properties: { [hidden]: { type: "string", description: hidden } },
    };
    const source = renderObjectTypes([type]);
    expect(source.replace("(…)", "")).not.toMatch(/[^\n\x20-\x7e]/);
    const where = await project({ "object-types.ts": source });
    const [loaded] = (await loadObjectTypes(where, run)).types;
    expect(loaded).toMatchObject({ name: hidden, properties: { [hidden]: { type: "string" } } });
  });

  it("replaces the file in one step and leaves nothing else", async () => {
    const where = await project();
    const folder = where.configDirectory ?? "";
    const path = join(folder, "object-types.generated.ts");
    await writeObjectTypesFile(path, types);
    await writeObjectTypesFile(path, types.slice(1));
    expect(await readFile(path, "utf8")).not.toContain("licence");
    expect(await readdir(folder)).toEqual(["object-types.generated.ts"]);
  });

  it("is refused under the reserved name, through links, onto folders and into none", async () => {
    const where = await project({ "victim.ts": "precious" });
    const folder = where.configDirectory ?? "";
    const outside = await temporaryDirectory("outside");
    await writeFile(join(where.root, "package.json"), "{}");
    await symlink(join(folder, "victim.ts"), join(folder, "linked.ts"));
    await symlink(join(folder, "nowhere.ts"), join(folder, "dangling.ts"));
    await link(join(folder, "victim.ts"), join(folder, "hard.ts"));
    await symlink(outside, join(where.root, "linked-folder"));
    await mkdir(join(outside, "deep"));
    await mkdir(join(folder, "folder.ts"));
    const refused = [
      join(folder, "object-types.ts"),
      join(folder, "Object-Types.TS"),
      join(where.root, "object-types.ts"),
      join(folder, "linked.ts"),
      join(folder, "dangling.ts"),
      join(folder, "hard.ts"),
      join(where.root, "linked-folder", "x.ts"),
      join(where.root, "linked-folder", "deep", "x.ts"),
      join(folder, "folder.ts"),
      join(folder, "none", "x.ts"),
    ];
    for (const path of refused) {
      expect(await errorOf(checkOutputPath(path)), path).toMatchObject({ code: "E305" });
      expect(await errorOf(writeObjectTypesFile(path, types)), path).toMatchObject({
        code: "E305",
      });
    }
    expect(await readFile(join(folder, "victim.ts"), "utf8")).toBe("precious");
    expect(await readdir(outside)).toEqual(["deep"]);
    expect(await errorOf(checkOutputPath(join(folder, "object-types.generated.ts")))).toBe("done");
  });
});
