import { catalogError } from "#contract/errors.ts";
import type { UploadedFile } from "#contract/resources/files.ts";
import { readBoundedText } from "#lib/bounded-body.ts";
import { streamOf } from "#lib/stream.ts";
import { parsedJson } from "#lib/json-value.ts";
import { unnamedType } from "./uploads.ts";
import { bodyFailure } from "./connection.ts";
import { readContent, restOf, wholeResponse } from "./content.ts";
import { startDigest } from "./digest.ts";
import type { ByteSource, UnsizedSource } from "./options.ts";
import type { Client } from "./surface.ts";
import type { FileSource, Resources } from "./surface/resources.ts";

const linkBytes = 64 * 1024;
const linkMs = 30_000;

type FileCalls = Pick<Resources, "uploadFile" | "downloadFile" | "fileUrl" | "deleteFile">;

/** Files on the properties of one Object Type's records (spec 4.2, 2.4). */
export function files(client: Client, objectType: string): FileCalls {
  const paramsOf = (id: string, propertyName: string) => ({ objectType, id, propertyName });
  return {
    uploadFile: async (id, propertyName, file, options = {}) => {
      const { filename, contentType, version, headers, ...call } = options;
      const name = filename ?? nameOf(file);
      if (name === undefined) throw catalogError("E303", { field: "filename" });
      const digest = await startDigest();
      const uploaded = await client.resources.uploadFile({
        ...call,
        headers: { ...headers, ...matching(version) },
        params: paramsOf(id, propertyName),
        query: { filename: name },
        content: watched(file, digest.update),
        contentType: contentType ?? (typeOf(file) || unnamedType),
      });
      requireSame(uploaded, digest.hex());
      return uploaded;
    },
    downloadFile: async (id, propertyName, options = {}) => {
      const params = paramsOf(id, propertyName);
      const response = await client.resources.downloadFile({ ...options, params });
      return readContent(
        await wholeResponse(response, options.headers),
        undefined,
        options.signal,
        async (from, tag) =>
          await client.resources.downloadFile.raw({
            ...options,
            headers: restOf(options.headers, from, tag),
            params,
          }),
      );
    },
    fileUrl: async (id, propertyName, options = {}) => {
      const response = await client.resources.downloadFile({
        ...options,
        params: paramsOf(id, propertyName),
        query: { access: "url" },
      });
      const { fileLink } = await import("#contract/resources/files.ts");
      const text = await readBoundedText(response, linkBytes, { limitMs: linkMs }).catch(
        (error: unknown) => {
          options.signal?.throwIfAborted();
          throw catalogError("E203", {
            details: `the answer can't be read: ${bodyFailure(error)}`,
          });
        },
      );
      const parsed = fileLink.safeParse(parsedJson(text));
      if (parsed.success) return parsed.data;
      throw catalogError("E203", { details: "the answer holds no URL" });
    },
    deleteFile: async (id, propertyName, { version, headers, ...call } = {}) => {
      await client.resources.deleteFile({
        ...call,
        headers: { ...headers, ...matching(version) },
        params: paramsOf(id, propertyName),
      });
    },
  };
}

function matching(version: number | undefined): Record<string, string> {
  return version === undefined ? {} : { "If-Match": `"${version}"` };
}

/** The last part of the source's own name: `Bun.file` has a path there. */
function nameOf(file: FileSource): string | undefined {
  const name = "name" in file ? file.name?.split(/[/\\]/).at(-1) : undefined;
  return name === "" ? undefined : name;
}

function typeOf(file: FileSource): string | undefined {
  return "type" in file ? file.type : undefined;
}

/** The source as it is, its bytes seen on their way. */
function watched(
  file: FileSource,
  onChunk: (chunk: Uint8Array) => void,
): ByteSource | UnsizedSource {
  const open = (): ReadableStream<Uint8Array> =>
    file instanceof ReadableStream ? file : file.stream();
  const stream = () => streamOf(seen(open(), onChunk));
  return file instanceof ReadableStream ? { stream } : { size: file.size, stream };
}

async function* seen(
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of stream) {
    onChunk(chunk);
    yield chunk;
  }
}

/** What was stored must be what was sent; a deployment that names no digest is taken at its word. */
function requireSame({ sha256 }: UploadedFile, sent: string | undefined): void {
  if (sha256 === undefined || sent === undefined || sha256.toLowerCase() === sent) return;
  throw catalogError(
    "E203",
    { details: "the platform stored other bytes than were sent" },
    { hint: "Send the file again: the one that is stored is damaged" },
  );
}
