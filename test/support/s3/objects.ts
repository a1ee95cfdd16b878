import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { emptySha256, S3Refusal } from "./signature.ts";

export interface StoredObject {
  readonly size: number;
  readonly etag: string;
  /** Empty where the bucket keeps no versions. */
  readonly versionId?: string;
}

/** A content of a key, or the mark of its removal. */
export interface StoredVersion {
  readonly versionId: string;
  /** Undefined for the mark of a removal. */
  readonly object: StoredObject | undefined;
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, StoredObject>;
}

/** One bucket: bytes in a folder, what is known of them in memory. */
export class Bucket {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  /** Keeps what is replaced and removed, as `PutBucketVersioning` turns it on. */
  isVersioned = false;
  /** All contents and marks of each key, newest first. */
  readonly versions = new Map<string, StoredVersion[]>();
  #versionCount = 0;
  readonly #directory: string;
  readonly #uploadIdEnd: string;
  #received = 0;

  constructor(directory: string, uploadIdEnd = "") {
    this.#directory = directory;
    this.#uploadIdEnd = uploadIdEnd;
  }

  pathOf(key: string, versionId = ""): string {
    const name = versionId === "" ? key : `${key}?${versionId}`;
    return join(this.#directory, createHash("sha256").update(name).digest("hex"));
  }

  #nextVersion(): string {
    this.#versionCount += 1;
    return this.isVersioned ? `version/${this.#versionCount}+=&` : "";
  }

  #keep(key: string, stored: StoredObject): StoredObject {
    this.objects.set(key, stored);
    const { versionId = "" } = stored;
    if (versionId !== "") this.#addVersion(key, { versionId, object: stored });
    return stored;
  }

  #addVersion(key: string, version: StoredVersion): void {
    this.versions.set(key, [version, ...(this.versions.get(key) ?? [])]);
  }

  /** Takes a whole body or nothing: length and hash have to be what was announced and signed. */
  async receive(path: string, request: Request, payload: string): Promise<StoredObject> {
    await mkdir(this.#directory, { recursive: true });
    this.#received += 1;
    const partial = join(this.#directory, `receiving-${this.#received}`);
    const file = await open(partial, "w");
    const sha256 = createHash("sha256");
    const md5 = createHash("md5");
    let size = 0;
    try {
      for await (const chunk of request.body ?? []) {
        for (let offset = 0; offset < chunk.byteLength;) {
          offset += (await file.write(chunk, offset)).bytesWritten;
        }
        sha256.update(chunk);
        md5.update(chunk);
        size += chunk.byteLength;
      }
      const announced = request.headers.get("content-length");
      if (announced === null) throw new S3Refusal("MissingContentLength", 411);
      if (Number(announced) !== size) throw new S3Refusal("IncompleteBody", 400);
      if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256.digest("hex")) {
        throw new S3Refusal("XAmzContentSHA256Mismatch", 400);
      }
      await file.close();
      await rename(partial, path);
    } catch (error) {
      await file.close().catch(() => {});
      await rm(partial, { force: true });
      throw error;
    }
    return { size, etag: md5.digest("hex") };
  }

  async put(key: string, request: Request, payload: string): Promise<StoredObject> {
    const versionId = this.#nextVersion();
    const stored = await this.receive(this.pathOf(key, versionId), request, payload);
    return this.#keep(key, { ...stored, versionId });
  }

  /** A versioned bucket marks a key as removed, also one that it does not have. */
  async remove(key: string): Promise<void> {
    this.objects.delete(key);
    if (this.isVersioned) {
      this.#addVersion(key, { versionId: this.#nextVersion(), object: undefined });
    } else await rm(this.pathOf(key), { force: true });
  }

  begin(key: string): string {
    const id = crypto.randomUUID() + this.#uploadIdEnd;
    this.uploads.set(id, { key, parts: new Map() });
    return id;
  }

  async putPart(at: PartAddress, request: Request, payload: string): Promise<StoredObject> {
    const { key, uploadId, part } = at;
    const { parts } = this.#upload(key, uploadId);
    if (!Number.isInteger(part) || part < 1 || part > 10_000) {
      throw new S3Refusal("InvalidArgument", 400);
    }
    const stored = await this.receive(this.#partPath(uploadId, part), request, payload);
    parts.set(part, stored);
    return stored;
  }

  async complete(key: string, uploadId: string, body: string): Promise<StoredObject> {
    const { parts } = this.#upload(key, uploadId);
    const wanted = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
      number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
      etag: /<ETag>(?:"|&quot;)?([0-9a-f]+)(?:"|&quot;)?<\/ETag>/.exec(part)?.[1],
    }));
    if (wanted.length === 0) throw new S3Refusal("MalformedXML", 400);
    const versionId = this.#nextVersion();
    const path = this.pathOf(key, versionId);
    const file = await open(`${path}.joining`, "w");
    let size = 0;
    const md5 = createHash("md5");
    try {
      for (const [index, { number, etag }] of wanted.entries()) {
        const part = parts.get(number);
        if (part === undefined || part.etag !== etag) throw new S3Refusal("InvalidPart", 400);
        if (index > 0 && number <= (wanted[index - 1]?.number ?? 0)) {
          throw new S3Refusal("InvalidPartOrder", 400);
        }
        const isLast = index === wanted.length - 1;
        if (!isLast && part.size < 5 * 1024 * 1024) throw new S3Refusal("EntityTooSmall", 400);
        for await (const chunk of Bun.file(this.#partPath(uploadId, number)).stream()) {
          await file.appendFile(chunk);
        }
        md5.update(part.etag, "hex");
        size += part.size;
      }
    } finally {
      await file.close();
    }
    await rename(`${path}.joining`, path);
    const etag = `${md5.digest("hex")}-${wanted.length}`;
    await this.abort(key, uploadId);
    return this.#keep(key, { size, etag, versionId });
  }

  async abort(key: string, uploadId: string): Promise<void> {
    const { parts } = this.#upload(key, uploadId);
    this.uploads.delete(uploadId);
    for (const part of parts.keys()) await rm(this.#partPath(uploadId, part), { force: true });
  }

  #upload(key: string, uploadId: string): Upload {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined || upload.key !== key) throw new S3Refusal("NoSuchUpload", 404);
    return upload;
  }

  #partPath(uploadId: string, part: number): string {
    return this.pathOf(`${uploadId} ${part}`);
  }
}

interface PartAddress {
  readonly key: string;
  readonly uploadId: string;
  readonly part: number;
}

/** The hash of a small body that was read already has to be what was signed. */
export function requireHash(body: string, payload: string): void {
  const sha256 = body === "" ? emptySha256 : createHash("sha256").update(body).digest("hex");
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256) {
    throw new S3Refusal("XAmzContentSHA256Mismatch", 400);
  }
}
