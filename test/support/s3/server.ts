import { Bucket, requireHash } from "./objects.ts";
import type { StoredObject } from "./objects.ts";
import { parseQuery, S3Refusal, verifySignature } from "./signature.ts";

/** A request that arrived, as tests look at it. */
export interface SeenRequest {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  /** Decoded, of the parameters that say what is wanted. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Headers;
}

/** A fault that replaces or disturbs the right answer. */
export type Fault =
  /** Answered at once, with S3's error document; nothing is done. */
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  /** The work is done and its answer lost: the connection ends. */
  | { readonly kind: "answer-lost" }
  /** The connection ends after so many bytes of the request's or the answer's body. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** The request gets no answer. */
  | { readonly kind: "silence" }
  /** Nothing more comes after so many bytes of the answer's body. */
  | { readonly kind: "stall"; readonly afterBytes: number }
  /** A wait before the right answer. */
  | { readonly kind: "slow"; readonly delayMs: number }
  /** The work is done, and its answer has no entity tag. */
  | { readonly kind: "no-etag" }
  /** Another server answers: nothing is done, and the answer has this entity tag and body. */
  | { readonly kind: "other-server"; readonly etag: string; readonly body: string }
  /** Status 200 with an error document, as only the end of a multipart upload may be answered. */
  | { readonly kind: "late-error"; readonly code: string };

interface PlannedFault {
  readonly when: (request: SeenRequest) => boolean;
  readonly fault: Fault;
  times: number;
}

export interface S3ServerOptions {
  /** A temporary folder; its owner removes it. */
  readonly directory: string;
  readonly buckets?: readonly string[];
  /** Names of one page of a list. */
  readonly pageKeys?: number;
  /** The end of upload IDs, e.g. characters that need encoding in a URL. */
  readonly uploadIdEnd?: string;
}

const listPageKeys = 1000;

/**
 * A small S3 on a loopback port: path-style PUT, GET (with one range), HEAD, DELETE, ListObjectsV2
 * and multipart uploads, on a temporary folder. Every request's signature and body hash are checked
 * as S3 does it, and any request can be made to fail. With {@link Bucket.isVersioned} it also has
 * ListObjectVersions and GET of a version. Stop it after use (`await using`).
 */
export class S3Server implements AsyncDisposable {
  readonly accessKeyId = "AKIDTESTTESTTESTTEST";
  readonly secretAccessKey = "test/secret+access/key+that+nobody+has+";
  readonly region = "eu-test-1";
  /** Every request that arrived, in order. */
  readonly requests: SeenRequest[] = [];
  /** Milliseconds by which this server's clock is ahead. */
  clockAheadMs = 0;
  readonly #buckets: Map<string, Bucket>;
  readonly #pageKeys: number;
  readonly #faults: PlannedFault[] = [];
  #server: Bun.Server<undefined> | undefined;
  #port = 0;

  private constructor(options: S3ServerOptions) {
    const { directory } = options;
    const names = options.buckets ?? ["files"];
    this.#buckets = new Map(
      names.map((name) => [name, new Bucket(`${directory}/${name}`, options.uploadIdEnd)]),
    );
    this.#pageKeys = options.pageKeys ?? listPageKeys;
  }

  static start(options: S3ServerOptions): S3Server {
    const server = new S3Server(options);
    server.resume();
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  bucket(name = "files"): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new S3Refusal("NoSuchBucket", 404);
    return bucket;
  }

  /** The next `times` requests that fit fail so. */
  fail(fault: Fault, when: (request: SeenRequest) => boolean = () => true, times = Infinity): void {
    this.#faults.push({ when, fault, times });
  }

  /** Ends the faults: everything works again. */
  heal(): void {
    this.#faults.length = 0;
  }

  /** Connections are refused until {@link resume}. */
  async down(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = undefined;
  }

  /** Listens again on the port of before. */
  resume(): void {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: this.#port,
      idleTimeout: 0,
      development: false,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request) => this.#answer(request),
    });
    this.#port = this.#server.port ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }

  async #answer(request: Request): Promise<Response> {
    const seen = seenOf(request);
    this.requests.push(seen);
    try {
      const fault = this.#nextFault(seen);
      if (fault?.kind === "status") throw new S3Refusal(fault.code, fault.status);
      if (fault?.kind === "silence") await new Promise(() => {});
      if (fault?.kind === "slow") await Bun.sleep(fault.delayMs);
      if (fault?.kind === "other-server") {
        return new Response(fault.body, { headers: { etag: fault.etag } });
      }
      if (fault?.kind === "late-error") return errorDocument(200, fault.code, seen.key);
      if (fault?.kind === "cut" && seen.method !== "GET") {
        return await cutRequest(request, fault.afterBytes);
      }
      const answered = await this.#handle(request, seen);
      if (fault?.kind === "answer-lost") return cutAnswer(new Uint8Array());
      if (fault?.kind === "cut" || fault?.kind === "stall") {
        const bytes = new Uint8Array(await answered.arrayBuffer()).subarray(0, fault.afterBytes);
        return fault.kind === "cut" ? cutAnswer(bytes, answered) : stalledAnswer(bytes, answered);
      }
      if (fault?.kind === "no-etag") answered.headers.delete("etag");
      return answered;
    } catch (error) {
      const refusal = error instanceof S3Refusal ? error : new S3Refusal("InternalError", 500);
      return errorDocument(refusal.status, refusal.code, seen.key, seen.method === "HEAD");
    }
  }

  #nextFault(seen: SeenRequest): Fault | undefined {
    const planned = this.#faults.find(({ when, times }) => times > 0 && when(seen));
    if (planned === undefined) return undefined;
    planned.times -= 1;
    return planned.fault;
  }

  async #handle(request: Request, seen: SeenRequest): Promise<Response> {
    const { method, key, query } = seen;
    const { path, query: rawQuery } = partsOf(request.url);
    const { payload } = verifySignature(
      { method, path, query: rawQuery, headers: request.headers },
      {
        secretOf: (id) => (id === this.accessKeyId ? this.secretAccessKey : undefined),
        region: this.region,
        nowMs: Date.now() + this.clockAheadMs,
      },
    );
    const bucket = this.bucket(seen.bucket);
    if (key === "") {
      if (method === "GET" && query.has("versions")) {
        return versionsDocument(bucket, query, this.#pageKeys);
      }
      if (method !== "GET" || query.get("list-type") !== "2") {
        throw new S3Refusal("NotImplemented", 501);
      }
      return listDocument(bucket, query, this.#pageKeys);
    }
    const uploadId = query.get("uploadId");
    const part = query.get("partNumber");
    switch (method) {
      case "HEAD":
        return described(objectOf(bucket, key), null);
      case "GET":
        return read(bucket, key, request.headers.get("range"), query.get("versionId"));
      case "PUT":
        return uploadId === undefined || part === undefined
          ? stored(await bucket.put(key, request, payload))
          : stored(await bucket.putPart({ key, uploadId, part: Number(part) }, request, payload));
      case "DELETE":
        await (uploadId === undefined ? bucket.remove(key) : bucket.abort(key, uploadId));
        return new Response(null, { status: 204 });
      case "POST": {
        const body = await request.text();
        requireHash(body, payload);
        if (query.has("uploads"))
          return xml("InitiateMultipartUploadResult", { UploadId: bucket.begin(key) });
        if (uploadId === undefined) throw new S3Refusal("NotImplemented", 501);
        const { etag } = await bucket.complete(key, uploadId, body);
        return xml("CompleteMultipartUploadResult", { Key: key, ETag: `"${etag}"` });
      }
      default:
        throw new S3Refusal("MethodNotAllowed", 405);
    }
  }
}

function partsOf(url: string): { path: string; query: string } {
  const [before = "", query = ""] = url.split("?", 2);
  return { path: before.slice(before.indexOf("/", before.indexOf("//") + 2)), query };
}

function seenOf(request: Request): SeenRequest {
  const { path, query } = partsOf(request.url);
  const [, bucket = "", ...key] = path.split("/").map(decodeURIComponent);
  const { method, headers } = request;
  return { method, bucket, key: key.join("/"), query: new Map(parseQuery(query)), headers };
}

function objectOf(bucket: Bucket, key: string, versionId?: string): StoredObject {
  const version = bucket.versions.get(key)?.find((each) => each.versionId === versionId);
  if (versionId !== undefined && version === undefined) throw new S3Refusal("NoSuchVersion", 404);
  if (version !== undefined && version.object === undefined) {
    throw new S3Refusal("MethodNotAllowed", 405);
  }
  const object = version?.object ?? bucket.objects.get(key);
  if (object === undefined) throw new S3Refusal("NoSuchKey", 404);
  return object;
}

function stored({ etag }: StoredObject): Response {
  return new Response(null, { headers: { etag: `"${etag}"` } });
}

function described({ size, etag }: StoredObject, body: Blob | null, range?: string): Response {
  const headers = new Headers({ etag: `"${etag}"`, "accept-ranges": "bytes" });
  headers.set("content-length", String(body?.size ?? size));
  if (range !== undefined) headers.set("content-range", range);
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

function read(bucket: Bucket, key: string, range: string | null, versionId?: string): Response {
  const object = objectOf(bucket, key, versionId);
  const file = Bun.file(bucket.pathOf(key, object.versionId));
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === undefined) return described(object, file);
  const start = Number(first);
  const end = Math.min(last === "" ? Infinity : Number(last), object.size - 1);
  if (start >= object.size || end < start) throw new S3Refusal("InvalidRange", 416);
  const contentRange = `bytes ${start}-${end}/${object.size}`;
  return described(object, file.slice(start, end + 1), contentRange);
}

function listDocument(
  bucket: Bucket,
  query: ReadonlyMap<string, string>,
  pageKeys: number,
): Response {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
  const wanted = Math.min(Number(query.get("max-keys") ?? pageKeys), pageKeys);
  const keys = [...bucket.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const rest = keys.filter((key) => key > after);
  const page = rest.slice(0, wanted);
  const isTruncated = rest.length > page.length;
  const contents = page.map((key) => {
    const { size, etag } = objectOf(bucket, key);
    return `<Contents><Key>${escaped(key)}</Key><Size>${size}</Size><ETag>&quot;${etag}&quot;</ETag></Contents>`;
  });
  const next = isTruncated
    ? `<NextContinuationToken>${escaped(page.at(-1) ?? "")}</NextContinuationToken>`
    : "";
  const text = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
  return xmlText(200, text);
}

/** All versions and marks below a prefix, by key and from the newest; a page may end in a key. */
function versionsDocument(
  bucket: Bucket,
  query: ReadonlyMap<string, string>,
  pageKeys: number,
): Response {
  const prefix = query.get("prefix") ?? "";
  const [keyMarker = "", versionMarker] = ["key-marker", "version-id-marker"].map((name) =>
    query.get(name),
  );
  const wanted = Math.min(Number(query.get("max-keys") ?? pageKeys), pageKeys);
  const all = [...bucket.versions.entries()]
    .filter(([key]) => key.startsWith(prefix))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, versions]) => versions.map((version) => ({ key, ...version })));
  const marked = all.findIndex(
    ({ key, versionId }) => key === keyMarker && versionId === versionMarker,
  );
  const rest = keyMarker === "" ? all : all.slice(marked + 1);
  const page = rest.slice(0, wanted);
  const entries = page.map(({ key, versionId, object }) => {
    const isLatest = bucket.versions.get(key)?.[0]?.versionId === versionId;
    const name = `<Key>${escaped(key)}</Key><VersionId>${escaped(versionId)}</VersionId>`;
    const own = `${name}<IsLatest>${isLatest}</IsLatest>`;
    if (object === undefined) return `<DeleteMarker>${own}</DeleteMarker>`;
    return `<Version>${own}<Size>${object.size}</Size></Version>`;
  });
  const last = rest.length > page.length ? page.at(-1) : undefined;
  const next =
    last === undefined
      ? ""
      : `<NextKeyMarker>${escaped(last.key)}</NextKeyMarker><NextVersionIdMarker>${escaped(last.versionId)}</NextVersionIdMarker>`;
  return xmlText(
    200,
    `<ListVersionsResult><IsTruncated>${last !== undefined}</IsTruncated>${next}${entries.join("")}</ListVersionsResult>`,
  );
}

function xml(root: string, members: Readonly<Record<string, string>>): Response {
  const text = Object.entries(members).map(
    ([name, value]) => `<${name}>${escaped(value)}</${name}>`,
  );
  return xmlText(200, `<${root}>${text.join("")}</${root}>`);
}

function errorDocument(status: number, code: string, key: string, isHead = false): Response {
  if (isHead) return new Response(null, { status });
  const message = `About ${key}: the key AKIDTESTTESTTESTTEST and the signed text appear here`;
  return xmlText(
    status,
    `<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`,
  );
}

function xmlText(status: number, text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    status,
    headers: { "content-type": "application/xml" },
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** Sends the bytes, then ends the connection as a broken line does. */
function cutAnswer(bytes: Uint8Array<ArrayBuffer>, like?: Response): Response {
  const body = new ReadableStream({
    type: "direct",
    async pull(controller) {
      await controller.write(bytes);
      await controller.flush();
      controller.close(new Error("cut"));
    },
  });
  return new Response(body, { status: like?.status ?? 200, headers: like?.headers ?? {} });
}

function stalledAnswer(bytes: Uint8Array, like: Response): Response {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(bytes) });
  return new Response(body, { status: like.status, headers: like.headers });
}

async function cutRequest(request: Request, afterBytes: number): Promise<Response> {
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size >= afterBytes) break;
  }
  return cutAnswer(new Uint8Array());
}
