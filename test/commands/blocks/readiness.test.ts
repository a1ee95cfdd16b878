import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("all blocks are counted by their readiness, or one is shown", async () => {
  const all = JSON.parse((await sent("blocks readiness --format json")).stdout) as {
    counts: Record<string, number>;
    blocks: unknown[];
  };
  const sum = Object.values(all.counts).reduce((total, count) => total + count, 0);
  expect(sum).toBe(all.blocks.length);
  const one = await sent("blocks readiness api-health --format json");
  expect(JSON.parse(one.stdout)).toMatchObject({ blocks: [{ id: "api-health" }] });
});
