import { expect, test } from "vitest";
import { paths, product } from "./rules.ts";
import { layerOf } from "./source.ts";

/** The least share of sources in src and ui that have a test of their name. */
const leastShare = 0.55;

test(`at least ${Math.round(leastShare * 100)} % of the sources have a test of their name`, () => {
  const tests = new Set(paths.filter((path) => path.startsWith("test/")));
  const named = product.filter(({ path }) => {
    const test = `test/${path.replace(/^src\//, "").replace(/\.tsx?$/, "")}.test`;
    return tests.has(`${test}.ts`) || tests.has(`${test}.tsx`);
  });
  const layers = Map.groupBy(product, ({ path }) => layerOf(path));
  const shares = [...layers].map(([layer, files]) => {
    const count = named.filter(({ path }) => layerOf(path) === layer).length;
    return `${layer} ${count} of ${files.length}`;
  });
  expect(named.length / product.length, shares.join(", ")).toBeGreaterThanOrEqual(leastShare);
});
