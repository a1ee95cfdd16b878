import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { SeenRequest } from "../../../support/s3/server.ts";
import { bytesOf, limitBytes, planning, waiting } from "../each-engine.ts";
import {
  is,
  isComplete,
  isPart,
  large,
  largeChunks,
  messageOf,
  s3UnderTest,
} from "./open-store.ts";

const mebibyte = 1024 * 1024;
const largeSha256 = createHash("sha256").update(large).digest("hex");

describe("a large file", () => {
  test("is sent in parts that are not readable before it is published", async () => {
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

  test("is not sent again if it exists, but is after its removal", async () => {
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

  test("that is discarded leaves no part", async () => {
    await using store = await s3UnderTest();
    const staged = await store.blobs.stage(planning, largeChunks(), { limitBytes });
    await staged.discard();
    expect(store.server.bucket().uploads.size).toBe(0);
    expect([await store.count(), await waiting(store)]).toEqual([0, []]);
  });

  test("whose upload is aborted while parts are sent leaves nothing", async () => {
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
});

describe("a large file and a failing store", () => {
  test("survives lost responses, a busy store and broken connections", async () => {
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

  test("with a part that always fails is refused, and its other parts are aborted", async () => {
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

  test("with a refused part does not wait for the other parts", async () => {
    await using store = await s3UnderTest({ limits: { idleMs: 60_000 } });
    const isNumber = (number: string) => (request: SeenRequest) =>
      isPart(request) && request.query.get("partNumber") === number;
    store.server.fail({ kind: "silence" }, isNumber("1"));
    store.server.fail({ kind: "status", status: 403, code: "AccessDenied" }, isNumber("2"));
    const failed = store.blobs.stage(planning, largeChunks(), { limitBytes });
    expect(await messageOf(failed)).toBe(
      "Could not store a file: the access key does not allow this (AccessDenied)",
    );
    expect(store.server.bucket().uploads.size).toBe(0);
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
