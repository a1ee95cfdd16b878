import { expect, test } from "vitest";
import { sparkText } from "#ui/kit/text/spark.ts";

test("figures are columns relative to the largest, and only 0 has the lowest level", () => {
  expect(sparkText([0, 1, 50, 100])).toBe("▁▂▅█");
  expect(sparkText([0, 0])).toBe("▁▁");
  expect(sparkText([])).toBe("");
});
