import { expect, test } from "vitest";
import { framesOfKeys } from "#ui/input-tap.ts";

test("a key has its frame at once, and keys that follow it faster have the usual ones", () => {
  let nowMs = 1_000;
  const drawn: number[] = [];
  const press = framesOfKeys(
    async () => drawn.push(nowMs),
    33,
    () => nowMs,
  );
  for (const atMs of [1_000, 1_010, 1_032, 1_033, 1_050, 2_000]) {
    nowMs = atMs;
    press();
  }
  expect(drawn).toEqual([1_000, 1_033, 2_000]);
});
