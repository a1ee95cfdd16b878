import { describe, expect, it } from "vitest";
import { textWidth } from "#ui/kit/text/text-layout.ts";
import { failureOf, failureReason } from "#ui/kit/answers/failure.ts";
import { headingRow, homeRow, unansweredRows, type HomeRow } from "#ui/shell/home/home-rows.ts";

function textOf(row: HomeRow, width: number): string {
  return row
    .draw(width)
    .map(({ text }) => text)
    .join("");
}

describe("a row of home", () => {
  it("has exactly its width, with figures at the right end", () => {
    const row = homeRow({ id: "a", left: [{ text: "   open" }], right: [{ text: " 4 " }] });
    expect(textOf(row, 20)).toBe("   open           4 ");
    for (const width of [4, 12, 60]) expect(textWidth(textOf(row, width))).toBe(width);
  });

  it("drops the last figures where there is no room", () => {
    const right = [{ text: " 42" }, { text: " ▁▂▃▄▅▆▇█" }, { text: " +3" }];
    const row = headingRow("Licence", { id: "a", right });
    expect(textOf(row, 30)).toBe(" LICENCE        42 ▁▂▃▄▅▆▇█ +3");
    expect(textOf(row, 24)).toBe(" LICENCE     42 ▁▂▃▄▅▆▇█");
    expect(textOf(row, 20)).toBe(" LICENCE          42");
  });

  it("has a bar by the share where there is room for one", () => {
    const parts = { id: "a", left: [{ text: " open" }], right: [{ text: " 4" }] };
    const row = homeRow({ ...parts, bar: { share: 0.5 } });
    expect(textOf(row, 40)).toBe(` open${" ".repeat(14)}${"▇".repeat(9)}${" ".repeat(10)} 4`);
    expect(textOf(row, 20)).not.toContain("▇");
  });

  it("shows hostile text harmlessly", () => {
    const row = homeRow({ id: "a", left: [{ text: "\x1b[2Jopen\x07" }] });
    expect(textOf(row, 20)).not.toMatch(/[\x00-\x1f]/);
    expect(textWidth(textOf(row, 20))).toBe(20);
  });
});

describe("a part without an answer", () => {
  const failure = failureOf(new Error("The platform is busy"));

  it("is loading, has failed, or is absent where the platform does not have it", () => {
    const rows = (now?: typeof failure) =>
      unansweredRows("Jobs", now).map((row) => textOf(row, 40));
    expect(rows()).toEqual([expect.stringMatching(/^ JOBS +… $/)]);
    expect(rows(failure).at(-1)).toContain(`✗ ${failureReason(failure)}`.slice(0, 30));
    expect(rows({ ...failure, isMissingRoute: true })).toEqual([]);
  });
});
