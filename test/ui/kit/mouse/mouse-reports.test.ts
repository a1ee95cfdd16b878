import { expect, test } from "vitest";
import { MouseReports, type MouseReport } from "#ui/kit/mouse/mouse-reports.ts";

function taken(...chunks: string[]) {
  const reports = new MouseReports();
  const found: MouseReport[] = [];
  const typed = chunks.map((chunk) => reports.take(chunk, (report) => found.push(report)));
  return { typed: typed.join(""), found };
}

test("presses and the wheel are taken out of what is typed, also where they are cut", () => {
  const press = { kind: "press", x: 4, y: 9 };
  expect(taken("a\x1b[<0;5;10Mb\x1b[<0;5;10m\x1b[A")).toEqual({
    typed: "ab\x1b[A",
    found: [press],
  });
  expect(taken("j\x1b[<0;", "5;10", "Mk")).toEqual({ typed: "jk", found: [press] });
  expect(taken("\x1b[<64;1;1M\x1b[<65;1;1M").found.map(({ kind }) => kind)).toEqual([
    "wheelUp",
    "wheelDown",
  ]);
});

test("clicks with modifiers or other buttons say nothing, and are no keys", () => {
  expect(taken("\x1b[<4;5;10M\x1b[<2;5;10M\x1b[<8;1;1M\x1b[<66;1;1M")).toEqual({
    typed: "",
    found: [],
  });
});
