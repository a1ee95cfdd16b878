import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../temporary.ts";
import { S3Server } from "./server.ts";
import type { S3ServerOptions } from "./server.ts";

const mebibyte = 1024 * 1024;

async function startServer(options: Partial<S3ServerOptions> = {}): Promise<S3Server> {
  return S3Server.start({ directory: await temporaryDirectory("s3"), ...options });
}

/** The runtime's own client, which is independent of this server. */
function clientOf(server: S3Server, changed: Bun.S3Options = {}): Bun.S3Client {
  const { accessKeyId, secretAccessKey, endpoint, region } = server;
  const options = { accessKeyId, secretAccessKey, endpoint, region, bucket: "files" };
  return new Bun.S3Client({ ...options, sessionToken: "", retry: 0, ...changed });
}

const codeOf = async (pending: Promise<unknown>): Promise<unknown> => {
  const error = await pending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error && "code" in error ? error.code : error;
};

describe("with another's client", () => {
  test("objects are put, read whole and in part, looked at, listed and removed", async () => {
    await using server = await startServer();
    const client = clientOf(server);
    await client.write("a/one two.txt", "0123456789");
    expect(await client.file("a/one two.txt").text()).toBe("0123456789");
    expect(await client.file("a/one two.txt").slice(2, 5).text()).toBe("234");
    expect(await client.stat("a/one two.txt")).toMatchObject({ size: 10 });
    const listed = await client.list({ prefix: "a/" });
    expect(listed.contents?.map(({ key, size }) => [key, size])).toEqual([["a/one two.txt", 10]]);
    await client.delete("a/one two.txt");
    expect(await client.exists("a/one two.txt")).toBe(false);
    expect(await codeOf(client.file("a/one two.txt").text())).toBe("NoSuchKey");
  });

  test("a list comes in pages", async () => {
    await using server = await startServer({ pageKeys: 2 });
    const client = clientOf(server);
    for (const name of ["a", "b", "c", "d", "e"]) await client.write(`k/${name}`, name);
    const first = await client.list({ prefix: "k/" });
    const second = await client.list({
      prefix: "k/",
      continuationToken: first.nextContinuationToken!,
    });
    const third = await client.list({
      prefix: "k/",
      continuationToken: second.nextContinuationToken!,
    });
    const keys = [first, second, third].map(({ contents }) => contents?.map(({ key }) => key));
    expect(keys).toEqual([["k/a", "k/b"], ["k/c", "k/d"], ["k/e"]]);
    expect([first.isTruncated, second.isTruncated, third.isTruncated]).toEqual([true, true, false]);
  });

  test("a multipart upload is there when it is complete, and its parts are gone", async () => {
    await using server = await startServer();
    const bytes = randomBytes(11 * mebibyte);
    const writer = clientOf(server)
      .file("large")
      .writer({ partSize: 5 * mebibyte });
    await writer.write(bytes);
    await writer.end();
    const read = new Uint8Array(await clientOf(server).file("large").arrayBuffer());
    expect(createHash("sha256").update(read).digest("hex")).toBe(
      createHash("sha256").update(bytes).digest("hex"),
    );
    expect(server.bucket().uploads.size).toBe(0);
  });
});

describe("who may not is refused:", () => {
  test.each<[string, Bun.S3Options, string]>([
    ["another secret", { secretAccessKey: "wrong" }, "SignatureDoesNotMatch"],
    ["an unknown key", { accessKeyId: "AKIDNOBODY" }, "InvalidAccessKeyId"],
    ["another region", { region: "us-east-1" }, "AuthorizationHeaderMalformed"],
    ["another bucket", { bucket: "elsewhere" }, "NoSuchBucket"],
  ])("%s", async (_name, changed, code) => {
    await using server = await startServer();
    expect(await codeOf(clientOf(server, changed).write("key", "text"))).toBe(code);
    expect(server.bucket().objects.size).toBe(0);
  });

  test("a clock that is 16 minutes off", async () => {
    await using server = await startServer();
    server.clockAheadMs = 16 * 60_000;
    expect(await codeOf(clientOf(server).write("key", "text"))).toBe("RequestTimeTooSkewed");
  });

  test("an unsigned request", async () => {
    await using server = await startServer();
    const answer = await fetch(`${server.endpoint}/files/key`, { method: "PUT", body: "text" });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("<Code>AccessDenied</Code>");
  });
});

describe("a presigned link", () => {
  test("works for its object, method and time, and for nothing else", async () => {
    await using server = await startServer();
    const client = clientOf(server);
    await client.write("mine", "text");
    await client.write("other", "secret");
    const link = client.presign("mine", { expiresIn: 60 });
    const statusOf = async (url: string, method = "GET") => (await fetch(url, { method })).status;
    expect(await statusOf(link)).toBe(200);
    expect(await statusOf(link.replace("/mine?", "/other?"))).toBe(403);
    expect(await statusOf(link.replace("X-Amz-Expires=60", "X-Amz-Expires=600"))).toBe(403);
    expect(await statusOf(`${link}&response-content-type=text%2Fhtml`)).toBe(403);
    expect(await statusOf(link, "DELETE")).toBe(403);
    server.clockAheadMs = 61_000;
    expect(await statusOf(link)).toBe(403);
    expect(await client.exists("mine")).toBe(true);
  });
});

describe("faults", () => {
  test("an answer can be refused, lost, cut or late, and healed", async () => {
    await using server = await startServer();
    const client = clientOf(server);
    await client.write("key", "x".repeat(100_000));

    server.fail({ kind: "status", status: 503, code: "SlowDown" }, () => true, 1);
    expect(await codeOf(client.file("key").text())).toBe("SlowDown");
    expect((await client.file("key").text()).length).toBe(100_000);

    server.fail({ kind: "answer-lost" }, ({ method }) => method === "PUT");
    expect(await codeOf(client.write("lost", "kept"))).toBe("ConnectionClosed");
    expect(server.bucket().objects.has("lost")).toBe(true);
    server.heal();

    server.fail({ kind: "cut", afterBytes: 50_000 });
    expect(await codeOf(client.file("key").text())).toBe("ConnectionClosed");
    expect(await codeOf(client.write("cut", "x".repeat(200_000)))).toBe("ConnectionClosed");
    expect(server.bucket().objects.has("cut")).toBe(false);

    server.heal();
    expect((await client.file("key").text()).length).toBe(100_000);
    await server.down();
    expect(await codeOf(client.file("key").text())).toBe("ConnectionRefused");
    server.resume();
    expect((await client.file("key").text()).length).toBe(100_000);
  });
});
