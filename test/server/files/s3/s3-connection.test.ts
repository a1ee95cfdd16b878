import { afterEach, describe, expect, test } from "vitest";
import { S3Bucket } from "#server/files/s3/bucket.ts";
import { defaultS3Limits, S3Connection } from "#server/files/s3/s3-connection.ts";
import { parseFilesUrl } from "#server/files/s3/files-url.ts";
import { PartDigests, partBytesFor } from "#server/files/s3/parts-upload.ts";
import { S3Server } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** Sends the same response to every request. */
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
  test("with temporary credentials carry their signed token", async () => {
    const server = S3Server.start({ directory: await temporaryDirectory("s3") });
    await using _stopped = server;
    const { accessKeyId, secretAccessKey, endpoint, region } = server;
    const keys = { accessKeyId, secretAccessKey, sessionToken: "the session's token" };
    expect(await bucketAt(endpoint, region, keys).size("nothing")).toBeUndefined();
    const [request] = server.requests;
    expect(request?.headers.get("x-amz-security-token")).toBe("the session's token");
    expect(request?.headers.get("authorization")).toContain("x-amz-security-token");
  });

  test("do not follow a redirection", async () => {
    const elsewhere = answering(() => new Response(null));
    const { endpoint, seen } = answering(() => Response.redirect(elsewhere.endpoint, 307));
    await expect(bucketAt(endpoint).size("key")).rejects.toThrow(
      "Could not read a file's size: the bucket is at another endpoint than the files URL says (HTTP 307)",
    );
    expect([seen.length, elsewhere.seen.length]).toEqual([1, 0]);
  });
});

test("a store that always fails soon gets one attempt per request", async () => {
  const { endpoint, seen } = answering(() => new Response(null, { status: 503 }));
  const bucket = bucketAt(endpoint);
  for (let index = 0; index < 30; index += 1) {
    await expect(bucket.size("key")).rejects.toThrow("the file store is busy (HTTP 503)");
  }
  // 500 tokens pay for 35 retries at 14 each.
  expect(seen.length).toBe(30 + 35);
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

describe("parts", () => {
  const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

  test.each([
    { chunks: ["abcdefgh"] },
    { chunks: ["a", "bcd", "efgh"] },
    { chunks: ["abc", "def", "gh"] },
    { chunks: ["abcdefg", "h"] },
  ])("have separate digests for any chunks: %j", async ({ chunks }) => {
    const digests = new PartDigests(3);
    const content = (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })();
    const passed = await Array.fromAsync(digests.watch(content));
    expect(Buffer.concat(passed).toString()).toBe("abcdefgh");
    expect(digests.digests).toEqual([sha256("abc"), sha256("def"), sha256("gh")]);
  });

  test("are large enough for the largest file in 10,000 parts", () => {
    expect(partBytesFor(64 * 1024 ** 3, 16 * 1024 ** 2)).toBe(16 * 1024 ** 2);
    expect(partBytesFor(1024 ** 4, 16 * 1024 ** 2)).toBe(109_951_163);
  });
});
