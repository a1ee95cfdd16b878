import { join } from "node:path";
import type { BlobStore } from "./blob-store.ts";
import { createDiskBlobStore } from "./disk-blob-store.ts";
import { parseFilesUrl, type FilesCredentials } from "./s3/files-url.ts";

export interface BlobStoreOptions {
  /** The folder of the blobs, or with `filesUrl` of uploads on their way to the store. */
  readonly dataDirectory: string;
  /** A URL `s3://bucket/prefix?endpoint=…&region=…&path-style=true`; default: a folder. */
  readonly filesUrl?: string | undefined;
  readonly credentials?: FilesCredentials | undefined;
}

/** The files URL is valid, but credentials are missing or the store can't be used. */
export class FilesUnavailableError extends Error {
  override readonly name = "FilesUnavailableError";
}

/**
 * Creates the file store and checks an S3 store once, so that a wrong name or key fails the start.
 * Throws `FilesUrlError` and {@link FilesUnavailableError}.
 */
export async function createBlobStore(options: BlobStoreOptions): Promise<BlobStore> {
  const { dataDirectory, filesUrl, credentials } = options;
  if (filesUrl === undefined) return createDiskBlobStore(join(dataDirectory, "blobs"));
  const location = parseFilesUrl(filesUrl);
  if (credentials === undefined) {
    throw new FilesUnavailableError("there are no credentials for the file store");
  }
  const { createS3BlobStore } = await import("./s3/s3-blob-store.ts");
  const directory = join(dataDirectory, "uploads");
  const store = createS3BlobStore({ location, credentials, directory });
  try {
    await store.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : "the file store failed";
    throw new FilesUnavailableError(reason, { cause: error });
  }
  return store;
}
