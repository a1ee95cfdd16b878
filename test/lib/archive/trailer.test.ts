import { expect, test } from "vitest";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { trailerBytes, trailerOf } from "#lib/archive/trailer.ts";

test("a trailer is a skippable frame with the digest, which readers of Zstandard pass over", () => {
  const digest = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
  const trailer = trailerOf(digest);
  expect(trailer).toHaveLength(trailerBytes);
  expect([...trailer.subarray(0, 8)]).toEqual([0x53, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
  expect(trailer.subarray(8)).toEqual(digest);
  const archive = Buffer.concat([zstdCompressSync("records"), trailer]);
  expect(zstdDecompressSync(archive).toString()).toBe("records");
});
