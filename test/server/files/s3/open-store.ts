import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { BlobStore } from "#server/files/blob-store.ts";
import type { S3Limits } from "#server/files/s3/s3-connection.ts";
import { parseFilesUrl } from "#server/files/s3/files-url.ts";
import { createS3BlobStore } from "#server/files/s3/s3-blob-store.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { S3Server } from "../../../support/s3/server.ts";
import type { S3ServerOptions, SeenRequest } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";
import type { StoreUnderTest } from "../each-engine.ts";

/** Retries without pauses. Tests of timeouts set shorter limits. */
const hastyLimits: Partial<S3Limits> = { firstPauseMs: 1, longestPauseMs: 5 };

export interface S3UnderTest extends StoreUnderTest, AsyncDisposable {
  readonly server: S3Server;
  readonly filesUrl: string;
  keyOf(address: { workspaceId: string; sha256: string }): string;
}

export interface S3UnderTestOptions extends Omit<S3ServerOptions, "directory"> {
  readonly limits?: Partial<S3Limits>;
  readonly secretAccessKey?: string;
}

/** A store on a separate loopback S3. */
export async function s3UnderTest(options: S3UnderTestOptions = {}): Promise<S3UnderTest> {
  // The prefix needs URL encoding, and a page has two keys.
  const server = S3Server.start({
    directory: await temporaryDirectory("s3"),
    uploadIdEnd: "/+= &",
    pageKeys: 2,
    ...options,
  });
  const directory = await temporaryDirectory("s3-staging");
  const { accessKeyId, endpoint, region } = server;
  const filesUrl = `s3://files/some/prefix?endpoint=${endpoint}&region=${region}`;
  const open = (): BlobStore =>
    createS3BlobStore({
      location: parseFilesUrl(filesUrl),
      credentials: {
        accessKeyId,
        secretAccessKey: options.secretAccessKey ?? server.secretAccessKey,
      },
      directory,
      limits: { ...hastyLimits, ...options.limits },
      partBytes: 5 * 1024 * 1024,
    });
  const keyOf = (address: { workspaceId: string; sha256: string }): string =>
    `some/prefix/${address.workspaceId}/${address.sha256}`;
  return {
    server,
    filesUrl,
    keyOf,
    blobs: open(),
    stagingDirectory: directory,
    reopen: async () => open(),
    damage: async (address, text) => {
      const body = new Request(server.endpoint, {
        method: "PUT",
        body: text,
        headers: { "content-length": String(text.length) },
      });
      await server.bucket().put(keyOf(address), body, "UNSIGNED-PAYLOAD");
    },
    count: async () => server.bucket().objects.size,
    [Symbol.asyncDispose]: () => server.down(),
  };
}

export const isPart = ({ method, query }: SeenRequest) =>
  method === "PUT" && query.has("partNumber");
export const isComplete = ({ method, query }: SeenRequest) =>
  method === "POST" && query.has("uploadId");
export const is =
  (method: string) =>
  (request: SeenRequest): boolean =>
    request.method === method;

/** The message of the `StorageError` that the work throws. */
export const messageOf = async (pending: Promise<unknown>): Promise<string> => {
  const error = await pending.then(
    () => new Error("it went well"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageError);
  return error instanceof Error ? error.message : "";
};

/** Three parts of 5 MiB, the last one short. */
export const large = randomBytes(11 * 1024 * 1024);
export async function* largeChunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < large.length; at += 300_000) yield large.subarray(at, at + 300_000);
}
