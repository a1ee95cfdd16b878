import { randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { OverloadedError, StorageError, StorageFullError } from "#server/kit/storage-errors.ts";
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
import { is, largeChunks, messageOf, s3UnderTest } from "./open-store.ts";
import type { S3UnderTest } from "./open-store.ts";

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

describe("objects", () => {
  test("have keys of prefix, workspace and digest, and a signed digest", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "signed");
    const { objects } = store.server.bucket();
    expect([...objects.keys()]).toEqual([`some/prefix/${planning}/${blob.sha256}`]);
    const puts = store.server.requests.filter(is("PUT"));
    expect(puts.map(({ headers }) => headers.get("x-amz-content-sha256"))).toEqual([blob.sha256]);
  });

  test("of other programs are not listed", async () => {
    await using store = await s3UnderTest();
    const { sha256 } = await put(store.blobs, planning, "mine");
    await store.damage({ workspaceId: planning, sha256: "README" }, "not mine");
    const listed = await Array.fromAsync(store.blobs.list(planning));
    expect(listed).toEqual([{ workspaceId: planning, sha256, size: 4 }]);
  });

  test("are read by range", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "0123456789");
    const content = await store.blobs.open(blob);
    expect(store.server.requests.filter(is("GET"))).toEqual([]);
    expect(await textOf(content?.slice(3, 6))).toBe("345");
    const gets = store.server.requests.filter(is("GET"));
    expect(gets.map(({ headers }) => headers.get("range"))).toEqual(["bytes=3-5"]);
  });

  test("are lent as local files up to a limit", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "lent");
    const done = Promise.withResolvers<void>();
    const paths: string[] = [];
    const lend = () =>
      store.blobs.withFile(blob, async (path) => {
        paths.push(path);
        await done.promise;
      });
    const lent = Array.from({ length: 16 }, lend);
    await expect.poll(() => paths.length).toBe(16);
    await expect(lend()).rejects.toThrow(OverloadedError);
    done.resolve();
    await Promise.all(lent);
    expect([new Set(paths).size, await waiting(store)]).toEqual([16, []]);
    await lend();
  });

  test("wait for a slow reader", async () => {
    await using store = await s3UnderTest({ limits: { idleMs: 1_000 } });
    const bytes = randomBytes(12 * mebibyte);
    const blob = await put(store.blobs, planning, bytes);
    const content = await store.blobs.open(blob);
    let size = 0;
    for await (const chunk of content?.stream() ?? []) {
      if (size === 0) await Bun.sleep(1_500);
      size += chunk.byteLength;
    }
    expect(size).toBe(bytes.length);
    expect(store.server.requests.filter(is("GET")).length).toBe(1);
  });

  test("with a wrong digest are not lent to a child process", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, "whole");
    await store.damage(blob, "hoWle");
    expect(await messageOf(store.blobs.withFile(blob, async () => 1))).toBe(
      `The content ${blob.sha256} is damaged in the file store`,
    );
    expect(await waiting(store)).toEqual([]);
  });
});

describe("a store that fails", () => {
  test("accepts nothing while it is down, and works again afterwards", async () => {
    await using store = await s3UnderTest();
    const kept = await put(store.blobs, planning, "kept");
    await store.server.down();
    const staged = await store.blobs.stage(planning, chunks("new"), { limitBytes });
    const unreachable = "the file store does not answer (ECONNREFUSED)";
    expect(await messageOf(staged.publish())).toBe(`Could not read a file's size: ${unreachable}`);
    expect(staged.mayBePublished).toBe(false);
    expect(await messageOf(store.blobs.open(kept))).toBe(
      `Could not read a file's size: ${unreachable}`,
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

  test("that never answers times out", async () => {
    await using store = await s3UnderTest({
      limits: { questionMs: 50, idleMs: 50, storeMs: 50, attempts: 2 },
    });
    store.server.fail({ kind: "silence" });
    expect(await messageOf(put(store.blobs, planning, "text"))).toBe(
      "Could not read a file's size: the file store does not answer",
    );
    expect(store.server.requests.length).toBeLessThanOrEqual(2);
    expect(await store.count()).toBe(0);
  });

  test("that never answers gets two attempts of a request without content", async () => {
    await using store = await s3UnderTest({ limits: { questionMs: 250 } });
    store.server.fail({ kind: "silence" });
    const unreachable = "the file store does not answer";
    expect(
      await messageOf(store.blobs.stat({ workspaceId: planning, sha256: "0".repeat(64) })),
    ).toBe(`Could not read a file's size: ${unreachable}`);
    expect(await messageOf(store.blobs.check())).toBe(`Could not list files: ${unreachable}`);
    expect(store.server.requests.map(({ method }) => method)).toEqual([
      "HEAD",
      "HEAD",
      "GET",
      "GET",
    ]);
  });

  test("without its bucket fails instead of having no files", async () => {
    await using store = await s3UnderTest();
    const kept = await put(store.blobs, planning, "kept");
    const lost = { workspaceId: planning, sha256: "0".repeat(64) };
    expect(await store.blobs.stat(lost)).toBeUndefined();
    store.server.fail({ kind: "status", status: 404, code: "NoSuchBucket" });
    const gone = "Could not list files: the bucket does not exist (NoSuchBucket)";
    expect(await messageOf(store.blobs.stat(kept))).toBe(gone);
    expect(await messageOf(store.blobs.open(kept))).toBe(gone);
    expect(await messageOf(store.blobs.withFile(kept, async () => 1))).toBe(gone);
    expect(await messageOf(store.blobs.remove(kept))).toBe(gone);
  });
});

describe("a store that refuses or breaks off", () => {
  test("that is busy gets a limited number of attempts", async () => {
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

  test("that refuses permanently gets one attempt", async () => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "status", status: 403, code: "AccessDenied" }, is("PUT"));
    expect(await messageOf(put(store.blobs, planning, "mine"))).toBe(
      "Could not store a file: the access key does not allow this (AccessDenied)",
    );
    expect(store.server.requests.filter(is("PUT")).length).toBe(1);
  });

  test("that answers a PUT without an entity tag must have the object", async () => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "no-etag" }, is("PUT"));
    const { sha256 } = await put(store.blobs, planning, "present");
    expect(await store.blobs.stat({ workspaceId: planning, sha256 })).toEqual({ size: 7 });
    store.server.heal();
    store.server.fail({ kind: "late-error", code: "InternalError" }, is("PUT"));
    expect(await messageOf(put(store.blobs, planning, "absent"))).toBe(
      "Could not store a file: the file store does not answer like S3 (no entity tag)",
    );
    expect(await store.count()).toBe(1);
  });

  test.each([
    [`W/"5f-18c"`, ""],
    [`"5f-18c"`, "<html>Sign in</html>"],
  ])("whose place another server has taken stores nothing: %s %s", async (etag, body) => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "other-server", etag, body }, is("PUT"));
    expect(await messageOf(put(store.blobs, planning, "absent"))).toBe(
      "Could not store a file: the file store does not answer like S3 (no entity tag)",
    );
  });

  test("that is full throws its own type of error", async () => {
    await using store = await s3UnderTest();
    store.server.fail({ kind: "status", status: 507, code: "XMinioStorageFull" }, is("PUT"));
    await expect(put(store.blobs, planning, "too much")).rejects.toThrow(StorageFullError);
    store.server.heal();
    store.server.fail({ kind: "status", status: 403, code: "QuotaExceeded" }, is("PUT"));
    await expect(put(store.blobs, planning, "too much")).rejects.toThrow(StorageFullError);
    store.server.heal();
    store.server.fail({ kind: "status", status: 507, code: "Unheard" }, is("PUT"));
    await expect(put(store.blobs, planning, "too much")).rejects.toThrow(StorageFullError);
  });

  test("whose connection breaks during a read gets a request for the rest", async () => {
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

  test("whose connection always breaks fails the reader", async () => {
    await using store = await s3UnderTest();
    const blob = await put(store.blobs, planning, randomBytes(mebibyte));
    store.server.fail({ kind: "cut", afterBytes: 0 }, is("GET"));
    const content = await store.blobs.open(blob);
    await expect(bytesOf(content)).rejects.toThrow("Could not read a file");
    await expect(store.blobs.withFile(blob, async () => 1)).rejects.toThrow(StorageError);
    expect(await waiting(store)).toEqual([]);
  });

  test("that stops in the middle of a response times out", async () => {
    await using store = await s3UnderTest({ limits: { idleMs: 200, attempts: 2 } });
    const blob = await put(store.blobs, planning, randomBytes(mebibyte));
    store.server.fail({ kind: "stall", afterBytes: 100_000 }, is("GET"));
    await expect(bytesOf(await store.blobs.open(blob))).rejects.toThrow(
      "Could not read a file: the file store does not answer",
    );
  });
});

describe("a refusal has a clear message without secrets:", () => {
  test.each<[string, (store: S3UnderTest) => void, string]>([
    [
      "a wrong secret",
      () => {},
      "the secret access key does not belong to the access key (SignatureDoesNotMatch)",
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
  test("parts that were not completed are aborted", async () => {
    await using store = await s3UnderTest();
    await store.blobs.stage(planning, largeChunks(), { limitBytes });
    expect((await waiting(store)).length).toBe(2);
    const restarted = await store.reopen();
    expect(await restarted.sweep(async () => false)).toEqual({ unfinished: 1, unowned: 0 });
    expect([store.server.bucket().uploads.size, await waiting(store)]).toEqual([0, []]);
  });

  test("a missing store does not prevent a start; the next start sweeps", async () => {
    await using store = await s3UnderTest();
    const unowned = await store.blobs.stage(planning, chunks("unowned"), { limitBytes });
    await unowned.publish();
    await store.blobs.stage(planning, chunks("unpublished"), { limitBytes });
    await writeFile(join(store.stagingDirectory, "half.part"), "half");
    await store.server.down();
    const restarted = await store.reopen();
    expect(await restarted.sweep(async () => false)).toEqual({ unfinished: 1, unowned: 0 });
    expect((await readdir(store.stagingDirectory)).length).toBe(2);
    store.server.resume();
    const asked = store.server.requests.length;
    store.server.fail({ kind: "status", status: 503, code: "SlowDown" });
    await restarted.sweep(async () => false);
    expect(store.server.requests.length - asked).toBe(4);
    store.server.heal();
    expect(await restarted.sweep(async () => false)).toEqual({ unfinished: 2, unowned: 1 });
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });
});
