import { escapeXml, parseAnswer } from "./xml-response.ts";
import type { ListedObject, S3Document } from "./xml-response.ts";
import type { OpenAnswer, S3Body, S3Connection } from "./connection.ts";
import { faultOfAnswer, faultOfConnection, faultOfForm, S3Fault } from "./s3-fault.ts";

/** A part of a multipart upload that the store has. */
export interface StoredPart {
  readonly number: number;
  readonly etag: string;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Of the next page; undefined at the end. */
  readonly next: string | undefined;
}

/** A line that breaks again before these is not getting anywhere. */
const worthwhileBytes = 1024 * 1024;

/** The operations on a bucket's objects that a file store is made of. */
export class S3Bucket {
  readonly #connection: S3Connection;

  constructor(connection: S3Connection) {
    this.#connection = connection;
  }

  /** Bytes of an object; undefined where there is none. */
  async size(key: string): Promise<number | undefined> {
    const action = "look at a file";
    try {
      const { headers } = await this.#connection.request({ action, method: "HEAD", key });
      const size = Number(headers.get("content-length") ?? Number.NaN);
      if (!Number.isSafeInteger(size)) throw faultOfForm(action, "no length");
      return size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Whole or not at all; durable when this resolves. */
  async put(key: string, body: S3Body, signal?: AbortSignal): Promise<void> {
    await this.#connection.request({ action: "store a file", method: "PUT", key, body, signal });
  }

  async remove(key: string): Promise<void> {
    try {
      await this.#connection.request({ action: "remove a file", method: "DELETE", key });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Names in order, at most `limit` of them; the store may give fewer. */
  async list(prefix: string, limit: number, token?: string): Promise<ListedPage> {
    const action = "list files";
    const { text } = await this.#connection.request({
      action,
      method: "GET",
      query: {
        "list-type": "2",
        "max-keys": String(limit),
        prefix,
        ...(token === undefined ? {} : { "continuation-token": token }),
      },
    });
    const { values, objects } = documentOf(action, text, "ListBucketResult");
    const next = values.get("NextContinuationToken");
    if (values.get("IsTruncated") !== "true") return { objects, next: undefined };
    if (next === undefined || next === token) throw faultOfForm(action, "no next page");
    return { objects, next };
  }

  /** The bytes from `start` to before `end`. A line that breaks is taken up where it broke. */
  async *read(key: string, start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    let position = start;
    let failures = 0;
    while (position < end) {
      const from = position;
      let answer: OpenAnswer | undefined;
      try {
        answer = await this.#openRange(key, position, end);
        for await (const chunk of answer.chunks()) {
          position += chunk.byteLength;
          if (position > end) throw faultOfForm("read a file", "more bytes than were asked for");
          yield chunk;
        }
        if (position < end) throw faultOfConnection("read a file", undefined);
      } catch (error) {
        failures = position - from < worthwhileBytes ? failures + 1 : 1;
        await this.#connection.pause(error, failures, undefined);
      } finally {
        await answer?.close();
      }
    }
  }

  async #openRange(key: string, start: number, end: number): Promise<OpenAnswer> {
    const action = "read a file";
    const headers = { range: `bytes=${start}-${end - 1}` };
    const answer = await this.#connection.open({ action, method: "GET", key, headers });
    const range = answer.headers.get("content-range") ?? "";
    if (answer.status === 206 && range.startsWith(`bytes ${start}-${end - 1}/`)) return answer;
    await answer.close();
    throw faultOfForm(action, "another range");
  }

  /** Begins a multipart upload; its ID is good until it is completed or aborted. */
  async beginParts(key: string, signal?: AbortSignal): Promise<string> {
    const action = "begin to store a file";
    const { text } = await this.#connection.request({
      action,
      method: "POST",
      key,
      query: { uploads: "" },
      signal,
    });
    const id = documentOf(action, text, "InitiateMultipartUploadResult").values.get("UploadId");
    if (id === undefined || id === "") throw faultOfForm(action, "no upload ID");
    return id;
  }

  /** Parts count from 1; the same part may be put again. */
  async putPart(
    at: { readonly key: string; readonly uploadId: string; readonly number: number },
    body: S3Body,
    signal?: AbortSignal,
  ): Promise<StoredPart> {
    const { key, uploadId, number } = at;
    const action = "store a file";
    const query = { partNumber: String(number), uploadId };
    const request = { action, method: "PUT", key, query, body, signal } as const;
    const { headers } = await this.#connection.request(request);
    const etag = headers.get("etag");
    if (etag === null) throw faultOfForm(action, "no entity tag");
    return { number, etag };
  }

  /**
   * Makes the object of its parts, at once. False when the store does not know the upload: it was
   * completed already, by an attempt whose answer was lost, or is gone.
   */
  async completeParts(
    key: string,
    uploadId: string,
    parts: readonly StoredPart[],
  ): Promise<boolean> {
    const action = "store a file";
    const listed = parts
      .map(({ number, etag }) => {
        return `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`;
      })
      .join("");
    const text = `<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`;
    const body = bodyOf(Buffer.from(text));
    const query = { uploadId };
    try {
      await this.#connection.request({
        action,
        method: "POST",
        key,
        query,
        body,
        // The store answers 200 before it knows how it will end.
        verify: (answer) => {
          if (parseAnswer(answer)?.root === "Error") throw faultOfAnswer(action, 500, answer);
          documentOf(action, answer, "CompleteMultipartUploadResult");
        },
      });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    const action = "give up an upload";
    try {
      await this.#connection.request({ action, method: "DELETE", key, query: { uploadId } });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** A missing bucket is a fault of the configuration, not a missing object. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3Fault && error.status === 404 && error.code !== "NoSuchBucket";
}

function documentOf(action: string, text: string, root: string): S3Document {
  const document = parseAnswer(text);
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
