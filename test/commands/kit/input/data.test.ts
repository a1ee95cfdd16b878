import { expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  dataSource,
  filePath,
  parseJson,
  readJsonObject,
  readObject,
  readStdin,
  readText,
  requireJson,
  withFirst,
} from "#commands/kit/input/data.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

function contextOf({ stdin = "", isTerminal = false, folder = "/" } = {}): never {
  const { signal } = new AbortController();
  const stream = () => new Blob([stdin]).stream();
  return {
    signal,
    environment: { stdin: { isTerminal, stream }, currentDirectory: folder },
    resolvePath: (path: string) => join(folder, path),
  } as never;
}

test("a value is text, stdin or a file", async () => {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, "a.json"), '{"a":1}');
  expect(await readText(contextOf(), "plain", "--data")).toBe("plain");
  expect(await readText(contextOf({ stdin: "piped" }), "-", "--data")).toBe("piped");
  expect(await readText(contextOf({ folder }), "@a.json", "--data")).toBe('{"a":1}');
  expect(await readObject(contextOf({ folder }), "@a.json", "--where")).toEqual({ a: 1 });
  expect(await readObject(contextOf(), undefined, "--where")).toBe(undefined);
  expect(await readJsonObject(contextOf({ folder }), { file: "a.json" })).toEqual({ a: 1 });
  expect(Buffer.from(await readStdin(contextOf({ stdin: "x" }), "--data")).toString()).toBe("x");
  expect(filePath("@a.json")).toBe("a.json");
});

test.each<[string, Parameters<typeof contextOf>[0], string]>([
  ["-", { isTerminal: true }, "--data - reads stdin, but stdin is a terminal"],
  ["a\ufffd", {}, "--data is not UTF-8 text"],
  ["@none.json", {}, "none.json does not exist"],
])("%j is refused", async (value, settings, message) => {
  await expect(readText(contextOf(settings), value, "--data")).rejects.toThrow(message);
});

test.each([
  ["", "E304", "--where is empty"],
  ["{a}", "E304", "--where is not JSON"],
  ['{"a":1,"a":2}', "E302", "--where #/a"],
  ["[".repeat(1_001), "E305", "--where nests deeper"],
])("the JSON %s is refused with %s", (text, code, message) => {
  expect(() => parseJson(text, "--where")).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test("a value that parsing changes may be accepted, and data have one source", async () => {
  expect(requireJson('{"a":1,"a":2}', "x")).toEqual({ a: 2 });
  await expect(dataSource(contextOf(), {})).rejects.toMatchObject({ code: "E303" });
  await expect(readJsonObject(contextOf(), { data: "[]" })).rejects.toThrow(
    "the data is not a JSON object",
  );
});

test("a chunk that was read ahead comes first", async () => {
  async function* rest() {
    yield 2;
    yield 3;
  }
  const all: number[] = [];
  for await (const chunk of withFirst(1, rest())) all.push(chunk);
  expect(all).toEqual([1, 2, 3]);
});
