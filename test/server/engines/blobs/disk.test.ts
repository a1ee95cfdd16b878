import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { BlobMissingError } from "#server/engines/blobs/blob-store.ts";
import type { BlobStore } from "#server/engines/blobs/blob-store.ts";
import { createDiskBlobStore } from "#server/engines/blobs/disk.ts";
import { StorageFullError } from "#server/stores/database/errors.ts";
import { describeNeeding } from "../../../support/needs.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "../../../support/tmpfs.ts";

const planning = "0192f000-0000-7000-8000-000000000001";
const licensing = "0192f000-0000-7000-8000-000000000002";
const limitBytes = 100 * 1024 * 1024;

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

async function store(): Promise<{ directory: string; blobs: BlobStore }> {
  const directory = await temporaryDirectory("blobs");
  return { directory, blobs: createDiskBlobStore(directory) };
}

async function put(blobs: BlobStore, workspaceId: string, ...parts: (string | Uint8Array)[]) {
  const staged = await blobs.stage(workspaceId, chunks(...parts), { limitBytes });
  const { existed } = await staged.publish();
  await staged.discard();
  return { ...staged.address, size: staged.size, existed };
}

const staging = (directory: string): Promise<string[]> => readdir(join(directory, "staging"));

describe("storing a file", () => {
  test("answers the digest and size of bytes that come in any pieces", async () => {
    const { blobs, directory } = await store();
    const bytes = randomBytes(1_700_001);
    const blob = await put(
      blobs,
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
    const opened = await blobs.open(blob);
    expect(Buffer.from(await opened!.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await staging(directory)).toEqual([]);
  });

  test("keeps an empty file too", async () => {
    const { blobs } = await store();
    const blob = await put(blobs, planning);
    expect(blob.sha256).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(await blobs.stat(blob)).toEqual({ size: 0 });
  });

  test("is not readable before it is published", async () => {
    const { blobs } = await store();
    const staged = await blobs.stage(planning, chunks("draft"), { limitBytes });
    expect(await blobs.open(staged.address)).toBeUndefined();
    await staged.discard();
    expect(await blobs.stat(staged.address)).toBeUndefined();
  });

  test("the same bytes are one file in a workspace, and another file in another one", async () => {
    const { blobs } = await store();
    const first = await put(blobs, planning, "same");
    expect(await put(blobs, planning, "sa", "me")).toEqual({ ...first, existed: true });
    const other = await put(blobs, licensing, "same");
    expect(other.existed).toBe(false);
    expect(await blobs.remove(first)).toBe(true);
    expect(await blobs.remove(first)).toBe(false);
    expect(await blobs.stat(first)).toBeUndefined();
    expect(await (await blobs.open(other))!.text()).toBe("same");
  });

  test("can be published again when a removal took it away in between", async () => {
    const { blobs } = await store();
    const staged = await blobs.stage(planning, chunks("again"), { limitBytes });
    await staged.publish();
    await blobs.remove(staged.address);
    expect(await staged.publish()).toEqual({ existed: false });
    await staged.discard();
    expect(await (await blobs.open(staged.address))!.text()).toBe("again");
  });

  test("a damaged file of another length is replaced", async () => {
    const { blobs, directory } = await store();
    const blob = await put(blobs, planning, "whole");
    const { sha256 } = blob;
    const path = join(directory, planning, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    await writeFile(path, "who");
    await put(blobs, planning, "whole");
    expect(await (await blobs.open(blob))!.text()).toBe("whole");
  });
});

describe("refusing a file", () => {
  test("stops at the first byte above the limit and leaves nothing", async () => {
    const { blobs, directory } = await store();
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield new Uint8Array(1000);
      }
    }
    const failure = await blobs.stage(planning, endless(), { limitBytes: 5000 }).catch((e) => e);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure.code).toBe("content-too-large");
    expect(asked).toBe(6);
    expect(await staging(directory)).toEqual([]);
    expect(await readdir(directory)).toEqual(["staging"]);
  });

  test("a source that breaks and a caller who goes away leave nothing", async () => {
    const { blobs, directory } = await store();
    async function* broken() {
      yield new Uint8Array(700_000);
      throw new Error("the line broke");
    }
    await expect(blobs.stage(planning, broken(), { limitBytes })).rejects.toThrow("the line broke");
    const leaving = new AbortController();
    async function* left() {
      yield new Uint8Array(700_000);
      leaving.abort(new Error("gone"));
      yield new Uint8Array(700_000);
    }
    await expect(
      blobs.stage(planning, left(), { limitBytes, signal: leaving.signal }),
    ).rejects.toThrow("gone");
    expect(await staging(directory)).toEqual([]);
  });

  test("an address that is not made of a UUID and a digest reaches no path", async () => {
    const { blobs } = await store();
    for (const address of [
      { workspaceId: "../../etc", sha256: "0".repeat(64) },
      { workspaceId: planning, sha256: "../../../../etc/passwd" },
      { workspaceId: planning, sha256: "A".repeat(64) },
    ]) {
      await expect(blobs.open(address)).rejects.toThrow(TypeError);
      await expect(blobs.remove(address)).rejects.toThrow(TypeError);
    }
  });
});

describe("reading", () => {
  test("a range is a slice", async () => {
    const { blobs } = await store();
    const opened = await blobs.open(await put(blobs, planning, "0123456789"));
    expect(await opened!.slice(2, 5).text()).toBe("234");
  });

  test("a child process gets a path while it works", async () => {
    const { blobs } = await store();
    const blob = await put(blobs, planning, "for a child");
    expect(await blobs.withFile(blob, (path) => Bun.file(path).text())).toBe("for a child");
    await blobs.remove(blob);
    await expect(blobs.withFile(blob, async () => 1)).rejects.toThrow(BlobMissingError);
  });

  test("a list names a workspace's blobs and no stray file", async () => {
    const { blobs, directory } = await store();
    const blob = await put(blobs, planning, "listed");
    await put(blobs, licensing, "not mine");
    await mkdir(join(directory, planning, "zz"));
    await writeFile(join(directory, planning, "zz", "stray"), "");
    const listed = [];
    for await (const item of blobs.list(planning)) listed.push(item);
    expect(listed).toEqual([{ workspaceId: planning, sha256: blob.sha256, size: 6 }]);
  });
});

describe("after a crash", () => {
  test("sweeps half-written files, and published ones that no document owns", async () => {
    const { blobs, directory } = await store();
    const owned = await blobs.stage(planning, chunks("owned"), { limitBytes });
    await owned.publish();
    const unowned = await blobs.stage(planning, chunks("unowned"), { limitBytes });
    await unowned.publish();
    const unpublished = await blobs.stage(planning, chunks("unpublished"), { limitBytes });
    await writeFile(join(directory, "staging", `${crypto.randomUUID()}.part`), "half a fi");
    await symlink("/etc/hostname", join(directory, "staging", "link.part"));

    const restarted = createDiskBlobStore(directory);
    const isOwned = async ({ sha256 }: { sha256: string }) => sha256 === owned.address.sha256;
    expect(await restarted.sweep(isOwned)).toEqual({ unfinished: 5, unowned: 1 });

    expect(await staging(directory)).toEqual([]);
    expect(await restarted.stat(owned.address)).toEqual({ size: 5 });
    expect(await restarted.stat(unowned.address)).toBeUndefined();
    expect(await restarted.stat(unpublished.address)).toBeUndefined();
  });
});

describeNeeding("a full disk", missingTmpfs, () => {
  test("is a typed error with nothing left, and storing works again once there is room", async () => {
    const directory = await temporaryDirectory("full");
    await using _mounted = await mountTmpfs(directory, 4 * 1024 * 1024);
    const blobs = createDiskBlobStore(directory);
    const small = await put(blobs, planning, new Uint8Array(1024 * 1024));
    async function* tooMuch() {
      for (let megabyte = 0; megabyte < 8; megabyte += 1) yield randomBytes(1024 * 1024);
    }
    await expect(blobs.stage(planning, tooMuch(), { limitBytes })).rejects.toThrow(
      StorageFullError,
    );
    expect(await staging(directory)).toEqual([]);
    expect(await blobs.stat(small)).toEqual({ size: 1024 * 1024 });
    const next = await put(blobs, planning, randomBytes(2 * 1024 * 1024));
    expect(await blobs.stat(next)).toEqual({ size: 2 * 1024 * 1024 });
  });
});
