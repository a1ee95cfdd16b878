import { expect, test } from "vitest";
import {
  marginsOf,
  scoresOf,
  seeded,
  shuffle,
  trainWeights,
} from "#server/text/classification/logistic.ts";

const row = (...ids: number[]) => ({
  ids: Uint32Array.from(ids),
  values: Float32Array.from(ids, () => 1 / Math.sqrt(ids.length)),
});
const rows = [row(0, 2), row(0, 3), row(1, 2), row(1, 3)];
const set = { rows, size: 4, targets: [0, 0, 1, 1], labels: 2 };

test("each row gets its label, and training is the same each time", () => {
  const weights = trainWeights(set, 200);
  const best = rows.map((each) => {
    const [one = 0, other = 0] = scoresOf(weights, each);
    return one > other ? 0 : 1;
  });
  expect(best).toEqual(set.targets);
  expect(trainWeights(set, 200)).toEqual(weights);
});

test("margins are odds against the other labels", () => {
  expect(marginsOf([0, 0]).map(Math.abs)).toEqual([0, 0]);
  const [high = 0, low = 0] = marginsOf([1_000, 0]);
  expect(high).toBeGreaterThan(10);
  expect(low).toBeCloseTo(-high, 5);
});

test("a shuffle keeps every place, and a seed its order", () => {
  const shuffled = (seed: number): number[] => {
    const order = Uint32Array.from({ length: 50 }, (_, at) => at);
    shuffle(order, seeded(seed));
    return [...order];
  };
  expect(shuffled(1)).toEqual(shuffled(1));
  expect(shuffled(1)).not.toEqual(shuffled(2));
  expect(shuffled(1).toSorted((one, other) => one - other)).toEqual([...Array(50).keys()]);
});
