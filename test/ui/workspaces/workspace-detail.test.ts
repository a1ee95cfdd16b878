import { expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { openFake } from "../support/open-fake.ts";
import { columnsOf } from "#ui/workspaces/workspace-detail.tsx";

const part = (title: string, count: number) => ({
  title,
  lines: Array.from({ length: count }, (_, index) => [{ text: `${title} ${index}` }]),
});

it("parts share the columns, and the rows of a column in turns", () => {
  const texts = (columns: ReturnType<typeof columnsOf>) =>
    columns.map((lines) => lines.map(([span]) => span?.text ?? ""));
  const parts = [part("a", 9), part("b", 0), part("c", 1), part("d", 9)];
  expect(texts(columnsOf(parts, 2, 7))).toEqual([
    ["a", "a 0", "a 1", "", "d", "d 0", "d 1"],
    ["c", "c 0"],
  ]);
});

it("shows the selected workspace below all of them where there is room", async () => {
  await using terminal = openFake({ home: "filled" }, { cols: 200, rows: 60 });
  await terminal.waitFor("[home]  all workspaces");
  terminal.write("]");
  await terminal.waitFor(/Records[\s\S]+Due next/);
  terminal.write(keys.down);
  await terminal.waitFor(/▸ northwind-council/);
  terminal.write(keys.enter);
  await terminal.waitFor(/northwind-council.* › home/);
});
