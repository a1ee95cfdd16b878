import { expect, test } from "vitest";
import { inTicks } from "#server/domains/geo/datasets/imports/run-import.ts";

test("a file is read in pieces, and the process answers others between slow ones", async () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
  async function* chunks() {
    yield bytes;
  }
  let others = 0;
  const answer = setInterval(() => {
    others += 1;
  }, 0);
  const pieces: Uint8Array[] = [];
  for await (const piece of inTicks(chunks(), "a workspace")) {
    pieces.push(piece);
    // A parser keeps the thread for this time.
    for (const endMs = performance.now() + 4; performance.now() < endMs;);
  }
  clearInterval(answer);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(pieces).toHaveLength(7);
  expect(others).toBeGreaterThan(2);
});
