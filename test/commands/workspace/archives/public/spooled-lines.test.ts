import { expect, test } from "vitest";
import { SpooledLines } from "#commands/workspace/archives/public/spooled-lines.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("lines are kept once for each kind, and come in their order, a hundred at once", async () => {
  const lines = new SpooledLines(await temporaryDirectory("lines"));
  const texts = Array.from({ length: 250 }, (_, at) => `line ${String(at).padStart(3, "0")}`);
  for (const text of texts.toReversed()) expect(lines.add("file", text)).toBe(true);
  expect(lines.add("file", "line 007")).toBe(false);
  expect(lines.add("record", "line 007")).toBe(true);
  const read = [...lines.sorted("file")];
  expect(read.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(read.flat()).toEqual(texts);
  expect([...lines.sorted("none")]).toEqual([]);
  lines.close();
});
