import { catalogError } from "#contract/errors.ts";
import type { FileLink, UploadedFile } from "#contract/resources/files.ts";
import { fileTypeHeader } from "#contract/shared-names.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { given } from "#lib/given.ts";
import { parsedJson } from "#lib/json/value.ts";
import { answerOf } from "../answer/answer.ts";
import { unnamedType } from "../request/uploads.ts";
import { bodyFailure } from "../transport/connection.ts";
import type { StoredContent } from "./content.ts";
import { measured, requireSame } from "./same-bytes.ts";
import { isContentType } from "../request/encode.ts";
import type {
  ByteSource,
  CallOptions,
  ProgressListener,
  UnsizedSource,
  VersionOptions,
} from "../options.ts";
import type { ClientCalls } from "../calls.ts";

const maximumLinkBytes = 64 * 1024;
const linkTimeoutMs = 30_000;

/** A file to upload: `Bun.file(path)`, a `File` or `Blob`, a custom object, or a stream. */
export type FileSource =
  | (ByteSource & { readonly name?: string | undefined; readonly type?: string | undefined })
  | ReadableStream<Uint8Array>;

/** Options of a file upload. */
export interface FileUploadOptions extends VersionOptions {
  /** Default: the source's name; E303 if it has none. */
  readonly filename?: string | undefined;
  /** Default: the source's type, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** Files on the properties of one Object Type's records (spec 4.2, 2.4). */
export function files<FileProperty extends string>(client: ClientCalls, objectType: string) {
  const paramsOf = (id: string, propertyName: string) => ({ objectType, id, propertyName });
  return {
    /**
     * Uploads the file of a property, replacing the one before (spec 4.2). It is streamed, so it is
     * never retried. Throws E203 if the platform's size or digest is not that of the sent bytes.
     */
    async uploadFile(
      id: string,
      propertyName: FileProperty,
      file: FileSource,
      options: FileUploadOptions = {},
    ): Promise<UploadedFile> {
      const { filename, contentType, version, headers, ...call } = options;
      const name = filename ?? nameOf(file);
      if (name === undefined) throw catalogError("E303", { field: "filename" });
      const { content, sent } = measured(unread(file));
      const uploaded = await client.resources.uploadFile({
        ...call,
        headers: {
          ...headers,
          ...matching(version),
          ...typeHeader(contentType ?? (("type" in file && file.type) || unnamedType)),
        },
        params: paramsOf(id, propertyName),
        query: { filename: name },
        content,
      });
      requireSame(uploaded, sent());
      return uploaded;
    },
    /** The file's bytes, checked by length and digest; resumes after a broken connection. */
    async downloadFile(
      id: string,
      propertyName: FileProperty,
      options: CallOptions = {},
    ): Promise<StoredContent> {
      const { storedContent } = await import("./content.ts");
      const input = { ...options, params: paramsOf(id, propertyName) };
      return await storedContent(client.resources.downloadFile, input);
    },
    /** A URL that reads the file without a token, for at most 15 minutes. */
    async fileUrl(
      id: string,
      propertyName: FileProperty,
      options: CallOptions = {},
    ): Promise<FileLink> {
      const query = { access: "url" } as const;
      const input = { ...options, params: paramsOf(id, propertyName), query };
      const response = await client.resources.downloadFile(input);
      return await linkIn(response, options.signal);
    },
    /** Removes the file from its property, as a new version of the record. */
    async deleteFile(
      id: string,
      propertyName: FileProperty,
      options: VersionOptions = {},
    ): Promise<void> {
      const { version, headers, ...call } = options;
      await client.resources.deleteFile({
        ...call,
        headers: { ...headers, ...matching(version) },
        params: paramsOf(id, propertyName),
      });
    },
  };
}

async function linkIn(response: Response, signal: AbortSignal | undefined): Promise<FileLink> {
  const limits = { limitMs: linkTimeoutMs };
  const text = await readBoundedText(response, maximumLinkBytes, limits).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw catalogError("E203", { details: `the response can't be read: ${bodyFailure(error)}` });
  });
  const link = await answerOf("resources", "downloadFile", "alternative", parsedJson(text));
  if (link !== undefined) return link;
  throw catalogError("E203", { details: "the response has no URL" });
}

/** The bytes are always sent as `application/octet-stream` (spec 2.4). */
function typeHeader(contentType: string): Record<string, string> {
  if (!isContentType(contentType)) {
    throw catalogError("E305", { details: "the content type can't be sent" });
  }
  return contentType === unnamedType ? {} : { [fileTypeHeader]: contentType };
}

function matching(version: number | undefined): Record<string, string> {
  return given({ "If-Match": version === undefined ? undefined : `"${version}"` });
}

/** The last segment of the source's name: a `Bun.file` has a path there. */
function nameOf(file: FileSource): string | undefined {
  const name = "name" in file ? file.name?.split(/[/\\]/).at(-1) : undefined;
  return name === "" ? undefined : name;
}

function unread(file: FileSource): ByteSource | UnsizedSource {
  return file instanceof ReadableStream ? { stream: () => file } : file;
}
