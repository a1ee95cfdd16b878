import { expect, it } from "vitest";
import { dayOf } from "#ui/kit/filter/day-words.ts";
import { parseFilter } from "#ui/kit/filter/filter-language.ts";
import { localDateWords } from "#ui/kit/text/words.ts";

const noon = new Date(2026, 1, 27, 12).getTime();

it.each([
  ["today", "2026-02-27"],
  ["Tomorrow", "2026-02-28"],
  ["yesterday", "2026-02-26"],
  ["today+7", "2026-03-06"],
  ["today-60d", "2025-12-29"],
  ["todays", undefined],
  ["today+99999", undefined],
  ["2026-02-27", undefined],
])("%s is %s", (text, date) => {
  expect(dayOf(text, noon)).toBe(date);
});

const properties = {
  decide_by: { type: "date", meaning: "due" },
  phase: { type: "enum", enum: ["open"], meaning: "status" },
};

it("are dates of a filter, also of the property that is meant", () => {
  const today = localDateWords(Date.now());
  expect(parseFilter("due<today", properties)).toEqual({ where: { decide_by: { $lt: today } } });
  expect(parseFilter("decide_by:today..", properties)).toEqual({
    where: { decide_by: { $gte: today } },
  });
  expect(parseFilter("status:open", properties)).toEqual({ where: { phase: "open" } });
  const own = { ...properties, due: { type: "integer" } };
  expect(parseFilter("due<3", own)).toEqual({ where: { due: { $lt: 3 } } });
});
