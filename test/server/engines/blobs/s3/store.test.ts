import { createHash, randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { StorageError, StorageFullError } from "#server/stores/database/errors.ts";
import type { SeenRequest } from "../../../../support/s3/server.ts";
import {
  bytesOf,
  chunks,
  describeBlobStore,
  limitBytes,
  planning,
  put,
  textOf,
  waiting,
} from "../each-engine.ts";
import { s3UnderTest } from "./store.ts";
import type { S3UnderTest } from "./store.ts";

const mebibyte = 1024 * 1024;
const opened: S3UnderTest[] = [];
afterAll(async () => {
  await Promise.all(opened.map(({ server }) => server.down()));
});

describeBlobStore("an S3-compatible store", async () => {
  const store = await s3UnderTest();
  opened.push(store);
  return store;
});

const isPart = ({ method, query }: SeenRequest) => method === "PUT" && query.has("partNumber");
const isComplete = ({ method, query }: SeenRequest) => method === "POST" && query.has("uploadId");
const is =
  (method: string) =>
  (request: SeenRequest): boolean =>
    request.method === method;

const messageOf = async (pending: Promise<unknown>): Promise<string> => {
  const error = await pending.then(
    () => new Error("it went well"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageError);
  return error instanceof Error ? error.message : "";
};

/** Three parts of 5 MiB, the last one short. */
const large = randomBytes(11 * mebibyte);
const largeSha256 = createHash("sha256").update(large).digest("hex");
async function* largeChunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < large.length; at += 300_000) yield large.subarray(at, at + 300_000);
}

describe("objects", () => {
  test("stand under prefix, workspace and digest, sent once and signed with their digest", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "signed");
    const { objects } = store.server.bucket();
    expect([...objects.keys()]).toEqual([`some/prefix/${planning}/${blob.sha256}`]);
    const puts = store.server.requests.filter(is("PUT"));
    expect(puts.map(({ headers }) => headers.get("x-amz-content-sha256"))).toEqual([blob.sha256]);
  });

  test("that others put beside them are not listed", async () => {
    await using store = await s3UnderTest();
    const { sha256 } = await put(store.blobs, planning, "mine");
    await store.damage({ workspaceId: planning, sha256: "README" }, "not mine");
    const listed = await Array.fromAsync(store.blobs.list(planning));
    expect(listed).toEqual([{ workspaceId: planning, sha256, size: 4 }]);
  });

  test("are read by range, and only what is asked for", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "0123456789");
    const content = await store.blobs.open(blob);
    expect(store.server.requests.filter(is("GET"))).toEqual([]);
    expect(await textOf(content?.slice(3, 6))).toBe("345");
    const gets = store.server.requests.filter(is("GET"));
    expect(gets.map(({ headers }) => headers.get("range"))).toEqual(["bytes=3-5"]);
  });

  test("whose digest is another are not handed to a child process", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "whole");
    await store.damage(blob, "hoWle");
    expect(await messageOf(store.blobs.withFile(blob, async () => 1))).toBe(
      `The content ${blob.sha256} is damaged in the file store`,
    );
    expect(await waiting(store)).toEqual([]);
  });
});

describe("a large file", () => {
  test("goes in parts that nobody sees before it is published", async () => {
    await using store = await s3UnderTest();
    const staged = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    const bucket = store.server.bucket();
    expect([bucket.uploads.size, bucket.objects.size]).toEqual([1, 0]);
    expect(await store.blobs.open(staged.address)).toBeUndefined();
    const sentBefore = store.server.requests.filter(isPart).length;
    expect(sentBefore).toBe(3);

    expect(await staged.publish()).toEqual({ existed: false });
    expect(store.server.requests.filter(isPart).length).toBe(sentBefore);
    await staged.discard();
    expect(bucket.uploads.size).toBe(0);
    expect(staged.address.sha256).toBe(largeSha256);
    const read = await bytesOf(await store.blobs.open(staged.address));
    expect(createHash("sha256").update(read).digest("hex")).toBe(largeSha256);
    expect(await waiting(store)).toEqual([]);
  });

  test("is sent no second time when it is there, and again when it was removed", async () => {
    await using store = await s3UnderTest();
    const first = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    await first.publish();
    const second = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    expect(store.server.requests.filter(isPart).length).toBe(3);
    expect(await second.publish()).toEqual({ existed: true });
    await store.blobs.remove(first.address);
    expect(await second.publish()).toEqual({ existed: false });
    expect(await store.blobs.stat(first.address)).toEqual({ size: large.length });
    await first.discard();
    await second.discard();
    expect([store.server.bucket().uploads.size, await waiting(store)]).toEqual([0, []]);
  });

  test("that is given up leaves no part behind", async () => {
    await using store = await s3UnderTest();
    const staged = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    await staged.discard();
    expect(store.server.bucket().uploads.size).toBe(0);
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test("whose sender goes away while parts are sent leaves nothing", async () => {
    await using store = await s3UnderTest();
    const leaving = new AbortController();
    store.server.fail({ kind: "silence" }, (request) => {
      if (!isPart(request)) return false;
      setTimeout(() => leaving.abort(new Error("gone")), 5);
      return true;
    });
    const { signal } = leaving;
    await expect(
      store.blobs.stage(planning, largeChunks(), { limitBytes, signal }),
    ).rejects.toThrow("gone");
    expect(store.server.bucket().uploads.size).toBe(0);
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test("survives lost answers, busy moments and cut lines", async () => {
    await using store = await s3UnderTest();
    const { server } = store;
    server.fail({ kind: "status", status: 503, code: "SlowDown" }, isPart, 1);
    server.fail({ kind: "cut", afterBytes: 3 * mebibyte }, isPart, 1);
    server.fail({ kind: "answer-lost" }, isPart, 1);
    server.fail({ kind: "late-error", code: "InternalError" }, isComplete, 1);
    server.fail({ kind: "answer-lost" }, isComplete, 1);
    const staged = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    expect(await staged.publish()).toEqual({ existed: false });
    await staged.discard();
    expect(server.requests.filter(isPart).length).toBe(6);
    server.fail({ kind: "cut", afterBytes: 7 * mebibyte }, is("GET"), 1);
    const read = await bytesOf(await store.blobs.open(staged.address));
    expect(createHash("sha256").update(read).digest("hex")).toBe(largeSha256);
    expect(server.bucket().uploads.size).toBe(0);
  });

  test("of which one part never gets through is refused, and its other parts are given up", async () => {
    await using store = await s3UnderTest();
    store.server.fail(
      { kind: "status", status: 500, code: "InternalError" },
      (request) => isPart(request) && request.query.get("partNumber") === "2",
    );
    const failed = store.blobs.stage(planning, largeChunks(), { limitBytes });
    expect(await messageOf(failed)).toBe(
      "Could not store a file: the file store failed (InternalError)",
    );
    expect(store.server.bucket().uploads.size).toBe(0);
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test("whose parts the store forgot is sent again", async () => {
    await using store = await s3UnderTest();
    const staged = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    store.server.bucket().uploads.clear();
    expect(await staged.publish()).toEqual({ existed: false });
    expect(await store.blobs.stat(staged.address)).toEqual({ size: large.length });
    await staged.discard();
  });
});

describe("a store that fails", () => {
  test("accepts nothing while it is down, and works again by itself", async () => {
    await using store = await s3UnderTest();
    const kept = await put(store.blobs, planning, "kept");
    await store.server.down();
    const staged = await store.blobs.stage(planning, chunks("new"), { limitBytes });
    const unreachable = "the file store does not answer (ECONNREFUSED)";
    expect(await messageOf(staged.publish())).toBe(`Could not look at a file: ${unreachable}`);
    expect(staged.mayBePublished).toBe(false);
    expect(await messageOf(store.blobs.open(kept))).toBe(
      `Could not look at a file: ${unreachable}`,
    );
    expect(await messageOf(Array.fromAsync(store.blobs.list(planning)))).toBe(
      `Could not list files: ${unreachable}`,
    );
    await expect(store.blobs.stage(planning, largeChunks(), { limitBytes })).rejects.toThrow(
      StorageError,
    );

    store.server.resume();
    expect(await store.blobs.stat(staged.address)).toBeUndefined();
    expect(await staged.publish()).toEqual({ existed: false });
    await staged.discard();
    expect([await store.count(), await waiting(store)]).toEqual([2, []]);
  });

  test("that never answers is given up on", async () => {
    await using store = await s3UnderTest({ limits: { idleMs: 50, storeMs: 50, attempts: 2 } });
    store.server.fail({ kind: "silence" });
    expect(await messageOf(put(store.blobs, planning, "text"))).toBe(
      "Could not look at a file: the file store does not answer",
    );
    expect(store.server.requests.length).toBeLessThanOrEqual(2);
    expect(await store.count()).toBe(0);
  });

  test("that is busy is asked a few times, and no more", async () => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "status", status: 503, code: "SlowDown" }, is("PUT"), 3);
    await put(store.blobs, planning, "late");
    expect(store.server.requests.filter(is("PUT")).length).toBe(4);
    store.server.fail({ kind: "status", status: 503, code: "SlowDown" }, is("PUT"));
    expect(await messageOf(put(store.blobs, planning, "never"))).toBe(
      "Could not store a file: the file store is busy (SlowDown)",
    );
    expect(store.server.requests.filter(is("PUT")).length).toBe(8);
  });

  test("that refuses for good is asked once", async () => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "status", status: 403, code: "AccessDenied" }, is("PUT"));
    expect(await messageOf(put(store.blobs, planning, "mine"))).toBe(
      "Could not store a file: the access key may not do this (AccessDenied)",
    );
    expect(store.server.requests.filter(is("PUT")).length).toBe(1);
  });

  test("that is full says so by its own type", async () => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "status", status: 507, code: "XMinioStorageFull" }, is("PUT"));
    await expect(put(store.blobs, planning, "too much")).rejects.toThrow(StorageFullError);
  });

  test("whose line breaks while a file is read is asked for the rest", async () => {
    await using store = await s3UnderTest();
    const bytes = randomBytes(3 * mebibyte);
    const blob = await put(store.blobs, planning, bytes);
    store.server.fail({ kind: "cut", afterBytes: mebibyte }, is("GET"), 2);
    const read = await bytesOf(await store.blobs.open(blob));
    expect(read.equals(bytes)).toBe(true);
    const ranges = store.server.requests
      .filter(is("GET"))
      .map(({ headers }) => headers.get("range"));
    expect(ranges[0]).toBe(`bytes=0-${3 * mebibyte - 1}`);
    expect(ranges.length).toBe(3);
  });

  test("whose line always breaks fails the reader, who never takes a part for the whole", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, randomBytes(mebibyte));
    store.server.fail({ kind: "cut", afterBytes: 0 }, is("GET"));
    const content = await store.blobs.open(blob);
    await expect(bytesOf(content)).rejects.toThrow("Could not read a file");
    await expect(store.blobs.withFile(blob, async () => 1)).rejects.toThrow(StorageError);
    expect(await waiting(store)).toEqual([]);
  });

  test("that stops in the middle of an answer is given up on", async () => {
    await using store = await s3UnderTest({ limits: { idleMs: 200, attempts: 2 } });
    const blob = await put(store.blobs, planning, randomBytes(mebibyte));
    store.server.fail({ kind: "stall", afterBytes: 100_000 }, is("GET"));
    await expect(bytesOf(await store.blobs.open(blob))).rejects.toThrow(
      "Could not read a file: the file store does not answer",
    );
  });
});

describe("who is refused gets clear words, and no secret:", () => {
  test.each<[string, (store: S3UnderTest) => void, string]>([
    [
      "a wrong secret",
      () => {},
      "the secret access key is not the access key's (SignatureDoesNotMatch)",
    ],
    [
      "a wrong clock",
      ({ server }) => {
        server.clockAheadMs = 16 * 60_000;
      },
      "the file store's clock and this machine's are more than 15 minutes apart (RequestTimeTooSkewed)",
    ],
  ])("%s", async (name, prepare, words) => {
    const isSecret = name === "a wrong secret";
    const secretAccessKey = "wrong/secret/that/must/not/be/shown";
    await using store = await s3UnderTest(isSecret ? { secretAccessKey } : {});
    prepare(store);
    const listing = Array.fromAsync(store.blobs.list(planning)).catch((error: unknown) => error);
    const error = await listing;
    expect(error).toMatchObject({ message: `Could not list files: ${words}` });
    const shown = Bun.inspect(error, { depth: 10 });
    expect(shown).not.toContain(secretAccessKey);
    expect(shown).not.toContain("AKID");
    expect(shown).not.toContain("Signature=");
    await expect(put(store.blobs, planning, "mine")).rejects.toThrow(StorageError);
    expect(await store.count()).toBe(0);
  });
});

describe("after a crash", () => {
  test("parts that were sent and never completed are given up", async () => {
    await using store = await s3UnderTest();
    await store.blobs.stage(planning, largeChunks(), { limitBytes });
    expect((await waiting(store)).length).toBe(2);
    const restarted = await store.reopen();
    expect(await restarted.sweep(async () => false)).toEqual({ unfinished: 1, unowned: 0 });
    expect([store.server.bucket().uploads.size, await waiting(store)]).toEqual([0, []]);
  });

  test("a store that is away keeps nobody from starting; the next start sweeps", async () => {
    await using store = await s3UnderTest();
    const unowned = await store.blobs.stage(planning, chunks("unowned"), { limitBytes });
    await unowned.publish();
    await writeFile(join(store.stagingDirectory, "half.part"), "half");
    await store.server.down();
    const restarted = await store.reopen();
    expect(await restarted.sweep(async () => false)).toEqual({ unfinished: 1, unowned: 0 });
    expect((await readdir(store.stagingDirectory)).length).toBe(1);
    store.server.resume();
    expect(await restarted.sweep(async () => false)).toEqual({ unfinished: 1, unowned: 1 });
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });
});
