import { afterEach, describe, expect, test } from "vitest";
import { PartDigests, partBytesFor } from "#server/files/s3/parts-upload.ts";
import { S3Server } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { answering, bucketAt, servers } from "./answering-server.ts";

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

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
