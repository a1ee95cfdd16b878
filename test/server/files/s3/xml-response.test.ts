import { afterEach, describe, expect, test } from "vitest";
import type { S3Bucket } from "#server/files/s3/bucket.ts";
import { answering, bucketAt, servers } from "./answering-server.ts";

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

describe("responses that are not from S3", () => {
  test.each<[string, () => Response, (bucket: S3Bucket) => Promise<unknown>, string]>([
    [
      "a page instead of a list",
      () => new Response("<html><br></html>"),
      (bucket) => bucket.list("", 1),
      "Could not list files: the file store does not answer like S3 (no ListBucketResult)",
    ],
    [
      "a list without an end",
      () => new Response("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
      (bucket) => bucket.list("", 1),
      "Could not list files: the file store does not answer like S3 (no next page)",
    ],
    [
      "a list that would fill the memory",
      () => new Response("<ListBucketResult>".padEnd(5_000_000)),
      (bucket) => bucket.list("", 1),
      "Could not list files: the file store does not answer like S3 (it is too long)",
    ],
    [
      "the whole file instead of a range",
      () => new Response("0123456789"),
      (bucket) => Array.fromAsync(bucket.read("key", 2, 5)),
      "Could not read a file: the file store does not answer like S3 (a different range)",
    ],
    [
      "a range without its bytes",
      () => new Response(null, { status: 206, headers: { "content-range": "bytes 2-4/10" } }),
      (bucket) => Array.fromAsync(bucket.read("key", 2, 5)),
      "Could not read a file: the file store does not answer",
    ],
    [
      "an upload without an ID",
      () => new Response("<InitiateMultipartUploadResult></InitiateMultipartUploadResult>"),
      (bucket) => bucket.beginParts("key"),
      "Could not begin to store a file: the file store does not answer like S3 (no upload ID)",
    ],
    [
      "an error that quotes a key",
      () =>
        new Response("<Error><Code>&lt;b&gt;AKIDTEST</Code><Message>AKIDTEST</Message></Error>", {
          status: 400,
        }),
      (bucket) => bucket.list("", 1),
      "Could not list files: the file store refused (HTTP 400)",
    ],
    [
      "a missing bucket",
      () => new Response("<Error><Code>NoSuchBucket</Code></Error>", { status: 404 }),
      (bucket) => bucket.remove("key"),
      "Could not remove a file: the bucket does not exist (NoSuchBucket)",
    ],
  ])("%s", async (_name, answer, ask, message) => {
    const { endpoint } = answering(answer);
    const error = await ask(bucketAt(endpoint)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message });
  });
});
