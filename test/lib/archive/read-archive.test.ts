import { expect, test } from "vitest";
import {
  ArchiveDamagedError,
  verifiedManifest,
  type ProvenParts,
} from "#lib/archive/read-archive.ts";
import { archiveBytes, type ArchivedItem, type WrittenParts } from "#lib/archive/write-archive.ts";

const file = new TextEncoder().encode("The plan of the site.");
const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");

async function* streamed(...chunks: readonly Uint8Array[]) {
  yield* chunks;
}

async function* items(): AsyncGenerator<ArchivedItem> {
  yield { kind: "rows", part: "object-types", lines: ['{"slug":"licence"}'] };
  yield { kind: "rows", part: "records/licence", lines: ['{"id":"1"}', '{"id":"2"}'] };
  yield { kind: "file", sha256, size: file.byteLength, content: streamed(file) };
  yield { kind: "rows", part: "records/licence", lines: ['{"id":"3"}'] };
  yield { kind: "rows", part: "roles", lines: [] };
}

const isManifest = (value: unknown): value is ProvenParts =>
  typeof value === "object" && value !== null && "parts" in value && "files" in value;

function manifestOf(value: unknown): ProvenParts {
  if (!isManifest(value)) throw new TypeError("not a manifest");
  return value;
}

async function written(content = items()): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archiveBytes(content, (all: WrittenParts) => all)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("an archive has its parts with counts, and is the same bytes each time", async () => {
  const bytes = await written();
  const manifest = await verifiedManifest(streamed(bytes), manifestOf);
  expect(manifest.parts.map(({ name, count }) => [name, count])).toEqual([
    ["object-types", 1],
    ["records/licence", 3],
    ["roles", 0],
  ]);
  expect(manifest.files).toMatchObject({ count: 1 });
  expect(Buffer.compare(bytes, await written())).toBe(0);
});

test("an archive is read the same from chunks of one byte", async () => {
  const bytes = await written();
  const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
  const manifest = await verifiedManifest(streamed(...single), manifestOf);
  expect(manifest.parts).toHaveLength(3);
});

test("a flipped bit is found in each byte", async () => {
  const bytes = await written();
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const flipped = Uint8Array.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    const reading = verifiedManifest(streamed(flipped), manifestOf);
    await expect(reading, `byte ${at}`).rejects.toBeInstanceOf(ArchiveDamagedError);
  }
});

test("a flipped bit is found in the middle of a large part", async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `{"id":"${at}","note":"${at * at}"}`);
  const large = async function* (): AsyncGenerator<ArchivedItem> {
    yield { kind: "rows", part: "records/licence", lines };
  };
  const bytes = await written(large());
  for (let share = 0.05; share < 1; share += 0.05) {
    const flipped = Uint8Array.from(bytes);
    const at = Math.floor(bytes.byteLength * share);
    flipped[at] = (flipped[at] ?? 0) ^ 4;
    const reading = verifiedManifest(streamed(...chunked(flipped)), manifestOf);
    await expect(reading, `byte ${at}`).rejects.toBeInstanceOf(ArchiveDamagedError);
  }
});

function* chunked(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += 4096) yield bytes.subarray(at, at + 4096);
}

test("a cut archive, more bytes and another file are refused", async () => {
  const bytes = await written();
  for (const wrong of [
    new Uint8Array(0),
    bytes.subarray(0, 10),
    bytes.subarray(0, bytes.byteLength - 1),
    Buffer.concat([bytes, new Uint8Array(1)]),
    file,
  ]) {
    const reading = verifiedManifest(streamed(wrong), manifestOf);
    await expect(reading).rejects.toBeInstanceOf(ArchiveDamagedError);
  }
});

test("the error of an item ends the archive", async () => {
  async function* failing(): AsyncGenerator<ArchivedItem> {
    yield { kind: "rows", part: "roles", lines: ["{}"] };
    throw new RangeError("The store is away");
  }
  const reading = Array.fromAsync(archiveBytes(failing(), (all) => all));
  await expect(reading).rejects.toThrow("The store is away");
});

test("the error of the source is not taken for damage", async () => {
  const bytes = await written();
  async function* failing() {
    yield bytes.subarray(0, 100);
    throw new RangeError("The store is away");
  }
  await expect(verifiedManifest(failing(), manifestOf)).rejects.toThrow("The store is away");
});
