import { expect, test } from "vitest";
import { pieceBytes } from "#server/platform/backup/place/placed-objects.ts";
import { SealedObjects, type StoredContent } from "#server/platform/backup/place/sealed-objects.ts";
import { backupPlace, flipBit, namesOf } from "../stored-backups.ts";

async function* textsOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function readText(objects: SealedObjects, stored: StoredContent, isCompressed: boolean) {
  const content = objects.read("a/b", stored, { isSealed: true, isCompressed });
  return Buffer.concat(await Array.fromAsync(content)).toString();
}

test.each([false, true])("a content comes back, compressed: %s", async (isCompressed) => {
  const { objects, place } = await backupPlace();
  const form = { isSealed: true, isCompressed };
  const stored = await objects.put("a/b", textsOf("very ", "secret"), form);
  expect(stored.size).toBe(11);
  expect(await readText(objects, stored, isCompressed)).toBe("very secret");
  const bytes = Buffer.from((await place.read("a/b.1")) ?? "");
  expect(bytes.includes("secret")).toBe(false);
  await flipBit(place, "a/b.1", 0.99);
  await expect(readText(objects, stored, isCompressed)).rejects.toThrow("its digest differs");
});

test("a large content has pieces, of which each is needed", async () => {
  const { objects, place } = await backupPlace();
  const chunk = new Uint8Array(1024 * 1024).fill(7);
  const chunks = pieceBytes / chunk.byteLength + 1;
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < chunks; at += 1) yield chunk;
  }
  const stored = await objects.put("a/b", content(), { isSealed: false });
  expect(stored.pieces.map(({ size }) => size)).toEqual([pieceBytes, chunk.byteLength]);
  let size = 0;
  for await (const bytes of objects.read("a/b", stored, { isSealed: false })) {
    size += bytes.byteLength;
  }
  expect(size).toBe(chunks * chunk.byteLength);
  await place.remove("a/b.2");
  expect(await namesOf(place, "a")).toEqual(["a/b.1"]);
  await expect(Array.fromAsync(objects.read("a/b", stored, { isSealed: false }))).rejects.toThrow(
    "a/b.2 is missing",
  );
});

test("a platform that has the public key only can't read what it has stored", async () => {
  const { objects, place, keys } = await backupPlace();
  const writing = new SealedObjects(place, { recipients: keys.recipients, identity: undefined });
  const stored = await writing.put("a/b", textsOf("text"), { isSealed: true });
  expect(writing.mayRead).toBe(false);
  await expect(readText(writing, stored, false)).rejects.toThrow("key is missing");
  expect(await readText(objects, stored, false)).toBe("text");
});
