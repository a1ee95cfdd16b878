import { afterEach, describe, expect, test } from "vitest";
import { S3Bucket } from "#server/files/s3/bucket.ts";
import { defaultS3Limits, S3Connection } from "#server/files/s3/connection.ts";
import { parseFilesUrl } from "#server/files/s3/files-url.ts";
import { PartDigests, partBytesFor } from "#server/files/s3/parts-upload.ts";
import { S3Server } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** Answers every request alike. */
function answering(answer: (request: Request) => Response): { endpoint: string; seen: Request[] } {
  const seen: Request[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request);
      return answer(request);
    },
  });
  servers.push(server);
  return { endpoint: `http://127.0.0.1:${server.port}`, seen };
}

function bucketAt(endpoint: string, region = "us-east-1", keys = {}): S3Bucket {
  const location = parseFilesUrl(`s3://files?endpoint=${endpoint}&region=${region}`);
  const limits = { ...defaultS3Limits, firstPauseMs: 1, longestPauseMs: 2 };
  const credentials = { accessKeyId: "AKIDTEST", secretAccessKey: "secret", ...keys };
  return new S3Bucket(new S3Connection(location, credentials, limits));
}

describe("requests", () => {
  test("of temporary credentials carry their token, signed", async () => {
    const server = S3Server.start({ directory: await temporaryDirectory("s3") });
    await using _stopped = server;
    const { accessKeyId, secretAccessKey, endpoint, region } = server;
    const keys = { accessKeyId, secretAccessKey, sessionToken: "the session's token" };
    expect(await bucketAt(endpoint, region, keys).size("nothing")).toBeUndefined();
    const [request] = server.requests;
    expect(request?.headers.get("x-amz-security-token")).toBe("the session's token");
    expect(request?.headers.get("authorization")).toContain("x-amz-security-token");
  });

  test("are not sent on to where a redirection points", async () => {
    const elsewhere = answering(() => new Response(null));
    const { endpoint, seen } = answering(() => Response.redirect(elsewhere.endpoint, 307));
    await expect(bucketAt(endpoint).size("key")).rejects.toThrow(
      "Could not read a file's size: the bucket is at another endpoint than the files URL says (HTTP 307)",
    );
    expect([seen.length, elsewhere.seen.length]).toEqual([1, 0]);
  });
});

test("a store that always fails is soon asked no more than once for each request", async () => {
  const { endpoint, seen } = answering(() => new Response(null, { status: 503 }));
  const bucket = bucketAt(endpoint);
  for (let index = 0; index < 30; index += 1) {
    await expect(bucket.size("key")).rejects.toThrow("the file store is busy (HTTP 503)");
  }
  // 500 tokens buy 35 repetitions, at 14 each.
  expect(seen.length).toBe(30 + 35);
});

describe("answers that are not S3's", () => {
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
      "nothing where a range was promised",
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
      "an error that says more than it should",
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

describe("parts", () => {
  const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

  test("are digested apart, however the bytes come", async () => {
    for (const pieces of [
      ["abcdefgh"],
      ["a", "bcd", "efgh"],
      ["abc", "def", "gh"],
      ["abcdefg", "h"],
    ]) {
      const digests = new PartDigests(3);
      const content = (async function* () {
        for (const piece of pieces) yield Buffer.from(piece);
      })();
      const passed = await Array.fromAsync(digests.watch(content));
      expect(Buffer.concat(passed).toString()).toBe("abcdefgh");
      expect(digests.digests).toEqual([sha256("abc"), sha256("def"), sha256("gh")]);
    }
  });

  test("are as large as the largest file needs, of 10,000 parts at most", () => {
    expect(partBytesFor(64 * 1024 ** 3, 16 * 1024 ** 2)).toBe(16 * 1024 ** 2);
    expect(partBytesFor(1024 ** 4, 16 * 1024 ** 2)).toBe(109_951_163);
  });
});
