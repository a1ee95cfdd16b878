import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  brotli,
  removeUnusedCompression,
  zstandard,
} from "../../scripts/build/kept-compression.ts";

const content = Array.from({ length: 3_000 }, (_, index) => `line ${(index * 7_919) % 997}`).join(
  "\n",
);

test("content that was compressed before is read, with the same bytes", async () => {
  const folder = await temporaryDirectory("compressed");
  const first = await zstandard(content, folder);
  expect(new TextDecoder().decode(Bun.zstdDecompressSync(Buffer.from(first)))).toBe(content);
  const [name = ""] = await readdir(folder);
  // Proves that it is read: another compressor's output of the same content.
  const other = Bun.zstdCompressSync(content, { level: 1 });
  expect(Buffer.compare(first, other)).not.toBe(0);
  await Bun.write(join(folder, name), other);
  expect(Buffer.compare(await zstandard(content, folder), other)).toBe(0);
  await zstandard(`${content}!`, folder);
  await brotli(content, folder);
  expect(await readdir(folder)).toHaveLength(3);
  expect(brotliDecompressSync(await brotli(content, folder)).toString()).toBe(content);
});

test.each(["", "damaged", Bun.zstdCompressSync("something else")])(
  "a damaged file is replaced",
  async (damage) => {
    const folder = await temporaryDirectory("compressed");
    const first = await zstandard(content, folder);
    const [name = ""] = await readdir(folder);
    await Bun.write(join(folder, name), damage);
    expect(Buffer.compare(await zstandard(content, folder), first)).toBe(0);
    expect(Buffer.compare(await Bun.file(join(folder, name)).bytes(), first)).toBe(0);
    expect(await readdir(folder)).toEqual([name]);
  },
);

test("what no build has used for a month is removed", async () => {
  const folder = await temporaryDirectory("compressed");
  await zstandard("old", folder);
  const [old = ""] = await readdir(folder);
  const before = new Date(Date.now() - 31 * 86_400_000);
  await utimes(join(folder, old), before, before);
  await zstandard("new", folder);
  await removeUnusedCompression(folder);
  expect(await readdir(folder)).toHaveLength(1);
  expect(await readdir(folder)).not.toContain(old);
});
