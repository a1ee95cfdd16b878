import { expect, test } from "vitest";
import { shownRows } from "#ui/shell/sidebar.tsx";

const places = ["1 Resources", "2 Documents", "3 Jobs"];

/** The pane of a workspace with so many types, in six lines, around a row. */
function shown(typeCount: number, at: number): string {
  const types = Array.from({ length: typeCount }, (_, index) => `t${index + 1}`);
  const rows = [...places.slice(0, 1), ...types, ...places.slice(1)];
  return shownRows(rows, { typeCount, at, lines: 6, above: 1 })
    .map((row) => row.replace(/ .*/, ""))
    .join(" ");
}

test("what fits is drawn whole", () => {
  expect(shown(0, 0)).toBe("1 2 3");
  expect(shown(3, 5)).toBe("1 t1 t2 t3 2 3");
});

test("of more types those around the row are drawn, and every place with them", () => {
  expect(shown(9, 0)).toBe("1 t1 t2 t3 2 3");
  expect(shown(9, 2)).toBe("1 t1 t2 t3 2 3");
  expect(shown(9, 5)).toBe("1 t4 t5 t6 2 3");
  expect(shown(9, 9)).toBe("1 t7 t8 t9 2 3");
  expect(shown(9, 11)).toBe("1 t7 t8 t9 2 3");
});

test("where not even the places fit, no type is drawn", () => {
  const rows = ["1", "t1", "2", "3"];
  expect(shownRows(rows, { typeCount: 1, at: 1, lines: 2, above: 1 })).toEqual(["1", "2", "3"]);
});
