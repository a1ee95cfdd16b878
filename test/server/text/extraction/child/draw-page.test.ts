import { expect, test } from "vitest";
import { drawPage } from "#server/text/extraction/child/draw-page.ts";
import { withFile } from "../formats/build-files.ts";

/** A child that writes these lines instead of the product's. */
const program = (...lines: readonly object[]): readonly string[] => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return [process.execPath, "-e", `await Bun.write(Bun.stdout, ${JSON.stringify(text)})`];
};

const draw = (...lines: readonly object[]) =>
  withFile("x", (path) =>
    drawPage(
      { path, filename: "x", mediaType: "" },
      { page: 2, width: 100 },
      { command: program(...lines), signal: undefined },
    ),
  );

const end = { type: "end", mediaType: "a/b", metadata: {}, warnings: [] };
const picture = { type: "picture", number: 2, mediaType: "image/png", data: "aGk=" };

test("a page is what the child says of it", async () => {
  const drawn = await draw({ type: "progress", done: 1, total: 2 }, picture, end);
  expect(drawn).toMatchObject({ kind: "picture", mediaType: "image/png" });
  expect(drawn?.kind === "picture" && Buffer.from(drawn.bytes).toString()).toBe("hi");
  expect(await draw({ type: "blank", number: 2 }, end)).toEqual({ kind: "blank" });
  expect(await draw({ type: "page", number: 2, text: "" }, end)).toEqual({ kind: "text" });
  expect(await draw(end)).toBeUndefined();
});

test.each([
  ["another page", [{ ...picture, number: 1 }], "crashed"],
  ["an unknown error", [{ type: "error", code: "odd", message: "x" }], "crashed"],
  ["an error", [{ type: "error", code: "encrypted", message: "locked" }], "encrypted"],
])("a child that writes %s ends with an error", async (_name, lines, code) => {
  await expect(draw(...lines)).rejects.toMatchObject({ code });
});
