import { expect, test } from "vitest";
import { ListCursors } from "#server/kit/lists/cursors.ts";

const cursors = new ListCursors(new Uint8Array(32).fill(7));
const place = { page: 3, after: ["2026", 5, null] };
const list = ["workspace", { where: 1 }];

test("a cursor gives its place back to its own list", () => {
  expect(cursors.read(list, cursors.write(list, place), ["query"])).toEqual(place);
  expect(cursors.read(list, cursors.write(list, { page: 2, after: 50 }), ["query"])).toEqual({
    page: 2,
    after: 50,
  });
});

test("a cursor is the same each time, whether it is kept or not", () => {
  const written = cursors.write(list, place);
  expect(cursors.write(list, place)).toBe(written);
  expect(cursors.sign(list, place)).toBe(written);
  expect(cursors.write(list, { ...place, page: 4 })).not.toBe(written);
  expect(cursors.write(["other"], place)).not.toBe(written);
});

test.each([
  ["of another list", cursors.write(["other"], place)],
  ["of another key", new ListCursors(new Uint8Array(32)).write(list, place)],
  ["that was changed", cursors.write(list, place).replace(/^./, "X")],
  ["without a signature", cursors.write(list, place).split(".")[0] ?? ""],
  ["that is empty", ""],
])("a cursor %s is refused at its place", (_case, cursor) => {
  expect(() => cursors.read(list, cursor, ["query"])).toThrow(
    expect.objectContaining({
      code: "validation-failed",
      options: expect.objectContaining({
        errors: [{ pointer: "#/query/cursor", detail: "is not a cursor of this list" }],
      }),
    }),
  );
});
