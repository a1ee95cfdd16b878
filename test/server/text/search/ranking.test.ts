import { describe, expect, test } from "vitest";
import { bm25, rarity } from "#server/text/search/ranking.ts";
import { record } from "./searched-record.ts";

describe("BM25", () => {
  test("weighs rare words more than common ones, and repetitions less", () => {
    const terms = [
      { term: "rare", rarity: rarity(1, 100) },
      { term: "common", rarity: rarity(90, 100) },
    ];
    const [rare = 0, common = 0, twice = 0, none = 1] = bm25(
      [
        record(["rare", "x", "y"]),
        record(["common", "x", "y"]),
        record(["common", "common", "y"]),
        record(["x", "y", "z"]),
      ],
      terms,
    );
    expect(rare).toBeGreaterThan(twice);
    expect(twice).toBeGreaterThan(common);
    expect(twice).toBeLessThan(2 * common);
    expect(none).toBe(0);
  });
});
