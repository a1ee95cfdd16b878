import { createHash, randomBytes } from "node:crypto";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { BlobMissingError } from "#server/files/blob-store.ts";
import type { BlobAddress, BlobContent, BlobStore } from "#server/files/blob-store.ts";

export const planning = "0192f000-0000-7000-8000-000000000001";
export const licensing = "0192f000-0000-7000-8000-000000000002";
export const limitBytes = 100 * 1024 * 1024;

/** A new, empty store, and what its tests do outside its port. */
export interface StoreUnderTest {
  readonly blobs: BlobStore;
  /** The local folder of staged files. */
  readonly stagingDirectory: string;
  /** The same store after a restart. */
  reopen(): Promise<BlobStore>;
  /** Replaces stored bytes, as a fault of the store would. */
  damage(address: BlobAddress, text: string): Promise<void>;
  /** Number of blobs of all workspaces. */
  count(): Promise<number>;
}

export async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

export async function put(
  blobs: BlobStore,
  workspaceId: string,
  ...parts: (string | Uint8Array)[]
): Promise<BlobAddress & { size: number; existed: boolean }> {
  const staged = await blobs.stage(workspaceId, chunks(...parts), { limitBytes });
  const { existed } = await staged.publish();
  await staged.discard();
  return { ...staged.address, size: staged.size, existed };
}

export async function bytesOf(content: BlobContent | undefined): Promise<Buffer> {
  if (content === undefined) throw new Error("there is no content");
  return Buffer.from(await new Response(content.stream()).arrayBuffer());
}

export async function textOf(content: BlobContent | undefined): Promise<string> {
  return (await bytesOf(content)).toString();
}

/** The names of staged files; none before the first upload. */
export async function waiting({ stagingDirectory }: StoreUnderTest): Promise<string[]> {
  return readdir(stagingDirectory).catch(() => []);
}

/** The behaviour of every engine. */
export function describeBlobStore(engine: string, create: CreateStore): void {
  describe(`${engine}: storing a file`, () => describeStoring(create));
  describe(`${engine}: refusing a file`, () => describeRefusing(create));
  describe(`${engine}: reading`, () => describeReading(create));
  describe(`${engine}: after a crash`, () => describeCrash(create));
}

type CreateStore = () => Promise<StoreUnderTest>;

function describeStoring(create: CreateStore): void {
  test("returns digest and size of bytes in chunks of any size", async () => {
    const store = await create();
    const bytes = randomBytes(1_700_001);
    const blob = await put(
      store.blobs,
      planning,
      bytes.subarray(0, 1),
      bytes.subarray(1, 600_000),
      bytes.subarray(600_000),
    );
    expect(blob).toEqual({
      workspaceId: planning,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      size: 1_700_001,
      existed: false,
    });
    const opened = await store.blobs.open(blob);
    expect(opened?.size).toBe(1_700_001);
    expect((await bytesOf(opened)).equals(bytes)).toBe(true);
    expect(await waiting(store)).toEqual([]);
  });

  test("works from the start, and so does the check", async () => {
    const { blobs } = await create();
    await blobs.check();
    await put(blobs, planning, "first");
    await blobs.check();
  });

  test("stores an empty file", async () => {
    const { blobs } = await create();
    const blob = await put(blobs, planning);
    expect(blob.sha256).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(await blobs.stat(blob)).toEqual({ size: 0 });
    expect(await textOf(await blobs.open(blob))).toBe("");
    expect(await blobs.withFile(blob, (path) => Bun.file(path).text())).toBe("");
  });

  test("is not readable before it is published", async () => {
    const store = await create();
    const staged = await store.blobs.stage(planning, chunks("draft"), { limitBytes });
    expect(await store.blobs.open(staged.address)).toBeUndefined();
    expect(staged.mayBePublished).toBe(false);
    await staged.discard();
    expect(await store.blobs.stat(staged.address)).toBeUndefined();
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test("stores the same bytes once per workspace", async () => {
    const { blobs } = await create();
    const first = await put(blobs, planning, "same");
    expect(await put(blobs, planning, "sa", "me")).toEqual({ ...first, existed: true });
    const other = await put(blobs, licensing, "same");
    expect(other.existed).toBe(false);
    expect(await blobs.remove(first)).toBe(true);
    expect(await blobs.remove(first)).toBe(false);
    expect(await blobs.stat(first)).toBeUndefined();
    expect(await textOf(await blobs.open(other))).toBe("same");
  });

  test("stores the same bytes of concurrent uploads once", async () => {
    const store = await create();
    const puts = Array.from({ length: 8 }, () => put(store.blobs, planning, "at once"));
    const digests = new Set((await Promise.all(puts)).map(({ sha256 }) => sha256));
    expect([digests.size, await store.count(), await waiting(store)]).toEqual([1, 1, []]);
  });

  test("can be published again after a removal", async () => {
    const { blobs } = await create();
    const staged = await blobs.stage(planning, chunks("again"), { limitBytes });
    await staged.publish();
    await blobs.remove(staged.address);
    expect(await staged.publish()).toEqual({ existed: false });
    expect(staged.mayBePublished).toBe(true);
    await staged.discard();
    expect(await textOf(await blobs.open(staged.address))).toBe("again");
  });

  test.each(["who", "whale"])("replaces a damaged file: %j", async (damaged) => {
    const store = await create();
    const blob = await put(store.blobs, planning, "whole");
    await store.damage(blob, damaged);
    await put(store.blobs, planning, "whole");
    expect(await textOf(await store.blobs.open(blob))).toBe("whole");
  });
}

function describeRefusing(create: CreateStore): void {
  test("stops at the first byte above the limit and leaves nothing", async () => {
    const store = await create();
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield new Uint8Array(1000);
      }
    }
    const failure = await store.blobs
      .stage(planning, endless(), { limitBytes: 5000 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ code: "content-too-large" });
    expect(asked).toBe(6);
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test("a broken source and an aborted upload leave nothing", async () => {
    const store = await create();
    async function* broken() {
      yield new Uint8Array(700_000);
      throw new Error("the connection broke");
    }
    await expect(store.blobs.stage(planning, broken(), { limitBytes })).rejects.toThrow(
      "the connection broke",
    );
    const leaving = new AbortController();
    async function* left() {
      yield new Uint8Array(700_000);
      leaving.abort(new Error("gone"));
      yield new Uint8Array(700_000);
    }
    await expect(
      store.blobs.stage(planning, left(), { limitBytes, signal: leaving.signal }),
    ).rejects.toThrow("gone");
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test.each([
    { workspaceId: "../../etc", sha256: "0".repeat(64) },
    { workspaceId: planning, sha256: "../../../../etc/passwd" },
    { workspaceId: planning, sha256: "A".repeat(64) },
  ])("refuses an address that is not a UUID and a digest: %j", async (address) => {
    const { blobs } = await create();
    await expect(blobs.open(address)).rejects.toThrow(TypeError);
    await expect(blobs.stat(address)).rejects.toThrow(TypeError);
    await expect(blobs.remove(address)).rejects.toThrow(TypeError);
    await expect(blobs.withFile(address, async () => 1)).rejects.toThrow(TypeError);
  });

  test("refuses a workspace that is not a UUID", async () => {
    const { blobs } = await create();
    await expect(blobs.stage("..", chunks("x"), { limitBytes })).rejects.toThrow(TypeError);
    await expect(blobs.list("..")[Symbol.asyncIterator]().next()).rejects.toThrow(TypeError);
  });
}

function describeReading(create: CreateStore): void {
  test.each<[string, number, number, string]>([
    ["the start", 0, 1, "0"],
    ["the middle", 2, 5, "234"],
    ["the end", 7, 10, "789"],
    ["nothing", 4, 4, ""],
    ["all", 0, 10, "0123456789"],
  ])("a slice is a range: %s", async (_name, start, end, text) => {
    const { blobs } = await create();
    const opened = await blobs.open(await put(blobs, planning, "0123456789"));
    const slice = opened?.slice(start, end);
    expect(slice?.size).toBe(text.length);
    expect(await textOf(slice)).toBe(text);
  });

  test("a slice of a slice counts from the slice", async () => {
    const { blobs } = await create();
    const opened = await blobs.open(await put(blobs, planning, "0123456789"));
    expect(await textOf(opened?.slice(2, 8).slice(1, 3))).toBe("34");
  });

  test("a missing file is undefined", async () => {
    const { blobs } = await create();
    const nowhere = { workspaceId: planning, sha256: "0".repeat(64) };
    expect(await blobs.open(nowhere)).toBeUndefined();
    expect(await blobs.stat(nowhere)).toBeUndefined();
  });

  test("a child process gets a path until it ends", async () => {
    const store = await create();
    const { blobs } = store;
    const blob = await put(blobs, planning, "for a child");
    expect(await blobs.withFile(blob, (path) => Bun.file(path).text())).toBe("for a child");
    await expect(
      blobs.withFile(blob, () => Promise.reject(new Error("the child failed"))),
    ).rejects.toThrow("the child failed");
    expect(await waiting(store)).toEqual([]);
    await blobs.remove(blob);
    await expect(blobs.withFile(blob, async () => 1)).rejects.toThrow(BlobMissingError);
  });

  test("a list has each of a workspace's blobs once", async () => {
    const { blobs } = await create();
    const wanted: (BlobAddress & { size: number })[] = [];
    for (const text of ["one", "two", "three", "four", "five"]) {
      const { workspaceId, sha256, size } = await put(blobs, planning, text);
      wanted.push({ workspaceId, sha256, size });
    }
    await put(blobs, licensing, "not mine");
    const listed = await Array.fromAsync(blobs.list(planning));
    const bySha256 = (a: BlobAddress, b: BlobAddress) => a.sha256.localeCompare(b.sha256);
    expect(listed.toSorted(bySha256)).toEqual(wanted.toSorted(bySha256));
    expect(await Array.fromAsync(blobs.list("0192f000-0000-7000-8000-00000000000f"))).toEqual([]);
  });
}

function describeCrash(create: CreateStore): void {
  test("sweeps half-written files, and published ones without an owner", async () => {
    const store = await create();
    const { blobs, stagingDirectory } = store;
    const owned = await blobs.stage(planning, chunks("owned"), { limitBytes });
    await owned.publish();
    const unowned = await blobs.stage(planning, chunks("unowned"), { limitBytes });
    await unowned.publish();
    const unpublished = await blobs.stage(planning, chunks("unpublished"), { limitBytes });
    await writeFile(join(stagingDirectory, `${crypto.randomUUID()}.part`), "half a fi");
    await symlink("/etc/hostname", join(stagingDirectory, "link.part"));

    const restarted = await store.reopen();
    const isOwned = async ({ sha256 }: BlobAddress) => sha256 === owned.address.sha256;
    expect(await restarted.sweep(isOwned)).toEqual({ unfinished: 5, unowned: 1 });

    expect(await waiting(store)).toEqual([]);
    expect(await restarted.stat(owned.address)).toEqual({ size: 5 });
    expect(await restarted.stat(unowned.address)).toBeUndefined();
    expect(await restarted.stat(unpublished.address)).toBeUndefined();
  });
}
