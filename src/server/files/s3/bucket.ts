import { given } from "#lib/given.ts";
import {
  escapeXml,
  parseXmlResponse,
  type ListedObject,
  type ListedVersion,
  type S3Document,
} from "./xml-response.ts";
import type { OpenResponse, S3Body, S3Connection } from "./s3-connection.ts";
import { faultOfConnection, faultOfForm, faultOfResponse, S3Fault } from "./s3-fault.ts";

export interface StoredPart {
  readonly number: number;
  readonly etag: string;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** The token of the next page; undefined at the end. */
  readonly next: string | undefined;
}

/** A broken download that moved this many bytes starts counting its failures again. */
const progressBytes = 1024 * 1024;
const pageKeys = 1_000;

export class S3Bucket {
  constructor(private readonly connection: S3Connection) {}

  async size(key: string): Promise<number | undefined> {
    const action = "read a file's size";
    try {
      const { headers } = await this.connection.request({ action, method: "HEAD", key });
      const size = Number(headers.get("content-length") ?? Number.NaN);
      if (!Number.isSafeInteger(size)) throw faultOfForm(action, "no length");
      return size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /**
   * Stores the whole object or nothing; durable when this resolves. Only a store answers with a
   * strong ETag and without a body. Any other success may come from a proxy or a web server, so the
   * object itself must then have the size.
   */
  async put(key: string, body: S3Body, signal?: AbortSignal): Promise<void> {
    const action = "store a file";
    const request = { action, method: "PUT", key, body, signal } as const;
    const { headers, text } = await this.connection.request(request);
    if (/^"[^"]+"$/.test(headers.get("etag") ?? "") && text === "") return;
    if ((await this.size(key)) !== body.size) throw faultOfForm(action, "no entity tag");
  }

  async remove(key: string): Promise<void> {
    try {
      await this.connection.request({ action: "remove a file", method: "DELETE", key });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Keys in order, at most `limit`; the store may return fewer. */
  async list(prefix: string, limit: number, token?: string): Promise<ListedPage> {
    const action = "list files";
    const { text } = await this.connection.request({
      action,
      method: "GET",
      query: {
        "list-type": "2",
        "max-keys": String(limit),
        prefix,
        ...given({ "continuation-token": token }),
      },
    });
    const { values, objects } = documentOf(action, text, "ListBucketResult");
    const next = values.get("NextContinuationToken");
    if (values.get("IsTruncated") !== "true") return { objects, next: undefined };
    if (next === undefined || next === token) throw faultOfForm(action, "no next page");
    return { objects, next };
  }

  /** All objects under the prefix, page by page. */
  async *listAll(prefix: string): AsyncGenerator<ListedObject, void, void> {
    let token: string | undefined;
    do {
      const page = await this.list(prefix, pageKeys, token);
      yield* page.objects;
      token = page.next;
    } while (token !== undefined);
  }

  /** The contents that a versioned bucket has of a key, newest first, also of a removed object. */
  async *versions(key: string): AsyncGenerator<ListedVersion, void, void> {
    const action = "list versions of a file";
    let after: Readonly<Record<string, string>> = {};
    for (;;) {
      const query = { versions: "", prefix: key, "max-keys": String(pageKeys), ...after };
      const { text } = await this.connection.request({ action, method: "GET", query });
      const { values, versions } = documentOf(action, text, "ListVersionsResult");
      // A longer key has the same beginning.
      yield* versions.filter((version) => version.key === key && version.versionId !== "");
      if (values.get("IsTruncated") !== "true") return;
      const next = {
        "key-marker": values.get("NextKeyMarker") ?? "",
        "version-id-marker": values.get("NextVersionIdMarker") ?? "",
      };
      if (next["key-marker"] !== key) return;
      if (next["version-id-marker"] === after["version-id-marker"]) {
        throw faultOfForm(action, "no next page");
      }
      after = next;
    }
  }

  /** The bytes from `start` to before `end`. After a broken connection it continues. */
  async *read(
    key: string,
    start: number,
    end: number,
    versionId?: string,
  ): AsyncGenerator<Uint8Array, void, void> {
    let position = start;
    let failures = 0;
    while (position < end) {
      const from = position;
      let response: OpenResponse | undefined;
      try {
        response = await this.#openRange(key, position, end, versionId);
        for await (const chunk of response.chunks()) {
          position += chunk.byteLength;
          if (position > end) throw faultOfForm("read a file", "more bytes than requested");
          yield chunk;
        }
        if (position < end) throw faultOfConnection("read a file", undefined);
      } catch (error) {
        failures = position - from < progressBytes ? failures + 1 : 1;
        await this.connection.pause(error, failures, undefined);
      } finally {
        await response?.close();
      }
    }
  }

  async #openRange(
    key: string,
    start: number,
    end: number,
    versionId: string | undefined,
  ): Promise<OpenResponse> {
    const action = "read a file";
    const headers = { range: `bytes=${start}-${end - 1}` };
    const query = given({ versionId });
    const response = await this.connection.open({ action, method: "GET", key, query, headers });
    const range = response.headers.get("content-range") ?? "";
    if (response.status === 206 && range.startsWith(`bytes ${start}-${end - 1}/`)) return response;
    await response.close();
    throw faultOfForm(action, "a different range");
  }

  /** Begins a multipart upload; its ID is valid until it is completed or aborted. */
  async beginParts(key: string, signal?: AbortSignal): Promise<string> {
    const action = "begin to store a file";
    const request = { action, method: "POST", key, query: { uploads: "" }, signal } as const;
    const { text } = await this.connection.request(request);
    const id = documentOf(action, text, "InitiateMultipartUploadResult").values.get("UploadId");
    if (id === undefined || id === "") throw faultOfForm(action, "no upload ID");
    return id;
  }

  /** Parts count from 1; the same part may be sent again. */
  async putPart(
    at: { readonly key: string; readonly uploadId: string; readonly number: number },
    body: S3Body,
    signal?: AbortSignal,
  ): Promise<StoredPart> {
    const { key, uploadId, number } = at;
    const action = "store a file";
    const query = { partNumber: String(number), uploadId };
    const request = { action, method: "PUT", key, query, body, signal } as const;
    const { headers } = await this.connection.request(request);
    const etag = headers.get("etag");
    if (etag === null || etag === "") throw faultOfForm(action, "no entity tag");
    return { number, etag };
  }

  /**
   * Makes the object of its parts. False if the store does not know the upload: an attempt whose
   * response was lost completed it, or it is gone.
   */
  async completeParts(
    key: string,
    uploadId: string,
    parts: readonly StoredPart[],
  ): Promise<boolean> {
    const action = "store a file";
    const listed = parts.map(({ number, etag }) => {
      return `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`;
    });
    const text = `<CompleteMultipartUpload>${listed.join("")}</CompleteMultipartUpload>`;
    // The store sends status 200 before it knows whether it succeeds.
    const verify = (result: string): void => {
      if (parseXmlResponse(result)?.root === "Error") throw faultOfResponse(action, 500, result);
      documentOf(action, result, "CompleteMultipartUploadResult");
    };
    const body = bodyOf(Buffer.from(text));
    const query = { uploadId };
    try {
      await this.connection.request({ action, method: "POST", key, query, body, verify });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    const action = "abort an upload";
    try {
      await this.connection.request({ action, method: "DELETE", key, query: { uploadId } });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** True for a missing object or upload; a missing bucket is an error of the configuration. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3Fault && error.status === 404 && error.code !== "NoSuchBucket";
}

function documentOf(action: string, text: string, root: string): S3Document {
  const document = parseXmlResponse(text);
  if (document?.root !== root) throw faultOfForm(action, `no ${root}`);
  return document;
}

function bodyOf(bytes: Buffer): S3Body {
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return {
    size: bytes.byteLength,
    sha256,
    async *open() {
      yield bytes;
    },
  };
}
