import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { commandWorld, platformDown } from "../world.ts";
import { plant, publishTrees } from "./trees.ts";

const the = commandWorld();

describe("resources list", () => {
  const list = ["resources", "list", "tree"];
  beforeAll(async () => {
    await publishTrees(the());
    for (const height of [1, 2, 3]) await plant(the(), { species: "larch", height });
  });
  const page = z.object({
    items: z.array(z.object({ data: z.object({ height: z.number().optional() }) })),
    nextCursor: z.string().nullish(),
  });
  const heights = async (...words: string[]): Promise<unknown> => {
    const { json } = await the().json([...list, "--where", '{"species":"larch"}', ...words]);
    return page.parse(json).items.map((item) => item.data.height);
  };

  test("sorts, filters and pages", async () => {
    expect(await heights()).toEqual([3, 2, 1]);
    expect(await heights("--sort", "height")).toEqual([1, 2, 3]);
    expect(await heights("--sort", "-height", "--limit", "2")).toEqual([3, 2]);
    expect(await heights("--sort", "height", "--limit", "2", "--page", "2")).toEqual([3]);
    const where = '{"species":"larch","height":{"$gt":1}}';
    const { json } = await the().json([...list, "--where", "-"], { stdin: where });
    expect(json).toMatchObject({ page: 1, limit: 20, hasNextPage: false });
    const first = await the().json([...list, "--limit", "1"]);
    const { nextCursor } = page.parse(first.json);
    expect(await the().json([...list, "--limit", "1", "--cursor", nextCursor ?? ""])).toMatchObject(
      {
        exitCode: 0,
      },
    );
  });

  test("in a pipe the table is whole, and stderr names the next page", async () => {
    const words = [...list, "--where", '{"species":"larch"}', "--sort", "height", "--limit", "2"];
    const { stdout, stderr } = await the().svc(words);
    const [heading, first] = stdout.split("\n");
    expect(heading).toBe("ID                                    V  SPECIES  HEIGHT");
    expect(first).toMatch(/^[0-9a-f-]{36} {2}1 {2}larch {4}1$/);
    expect(stderr).toBe("More: --page 2\n");
    const { stderr: said } = await the().svc([...words, "--count"]);
    expect(said).toMatch(/^\d+ records in total\nMore: --page 2\n$/);
    const { json } = await the().json([...words, "--count"]);
    expect(json).toMatchObject({ total: Number.parseInt(said, 10) });
  });

  test("on a narrow terminal each record keeps its line and its ID", async () => {
    await plant(the(), { species: "long", note: "word ".repeat(60) });
    const words = [...list, "--where", '{"species":"long"}'];
    const { stdout } = await the().svc(words, { terminal: 60 });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => Bun.stringWidth(line) <= 60)).toBe(true);
    expect(lines[1]).toMatch(/^[0-9a-f-]{36} /);
  });

  test("an empty list is reported on stderr", async () => {
    const { exitCode, stdout, stderr } = await the().svc([
      ...list,
      "--where",
      '{"species":"oak?"}',
    ]);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "No tree records match\n",
    });
  });

  test("a page after the last one is reported, with the total", async () => {
    const { stdout, stderr } = await the().svc([...list, "--page", "900", "--count"]);
    expect({ stdout, stderr }).toEqual({
      stdout: "",
      stderr: expect.stringMatching(/^No tree records on page 900\n\d+ records? in total\n$/),
    });
  });

  test("terminal escapes in text are removed; JSON keeps them", async () => {
    const species = "\u001b[31mred\u001b]0;title\u0007 \u202eoak\r\nx\u009b2J";
    const id = await plant(the(), { species, note: "\u001b]52;c;aGk=\u0007clip" });
    const where = JSON.stringify({ note: { $startsWith: "\u001b" } });
    for (const words of [
      [...list, "--where", where],
      ["resources", "get", "tree", id],
    ]) {
      for (const settings of [{}, { terminal: 120 }, { variables: { NO_COLOR: undefined } }]) {
        const { stdout } = await the().svc(words, settings);
        expect(stdout).toContain("red oak x");
        expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      }
    }
    const { json } = await the().json(["resources", "get", "tree", id]);
    expect(json).toMatchObject({ data: { species } });
    const drawn = await the().json(["resources", "get", "tree", id], { terminal: 80 });
    expect(drawn.json).toMatchObject({ data: { species } });
    expect(drawn.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  const refusals: [string[], number, string, string][] = [
    [
      ["--where", '{"status":"open"'],
      2,
      "E304",
      "Invalid format: --where is not JSON: Expected '}'",
    ],
    [["--where", "[]"], 2, "E304", "Invalid format: --where is not a JSON object"],
    [
      ["--page", "0"],
      2,
      "E305",
      'Invalid input: --page "0" is not a whole number from 1 to 1000000',
    ],
    [
      ["--limit", "501"],
      2,
      "E305",
      'Invalid input: --limit "501" is not a whole number from 1 to 500',
    ],
    [["--limit"], 2, "E305", "Invalid input: --limit needs a value"],
    [["--wher", "{}"], 2, "E305", 'Invalid input: unknown option "--wher"'],
  ];
  test.each(refusals)(
    "refuses %j before any network call",
    async (words, code, catalog, message) => {
      const { exitCode, json } = await the().json([...list, ...words], { fetch: platformDown });
      expect(exitCode).toBe(code);
      expect(json).toMatchObject({ error: { code: catalog, message, exitCode: code } });
    },
  );

  const platformRefusals: [string[], string][] = [
    [["--where", '{"height":{"$foo":1}}'], "#/query/where/height/$foo"],
    [["--sort", "nosuch"], "#/query/sort"],
    [["--cursor", "not-ours"], "#/query/cursor"],
  ];
  test.each(platformRefusals)("reports what the platform refuses: %j", async (words, pointer) => {
    const { exitCode, json } = await the().json([...list, ...words]);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E302", status: 422, errors: [{ pointer }] } });
  });
});
