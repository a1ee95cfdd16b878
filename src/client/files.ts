import { catalogError } from "#contract/errors.ts";
import { fileTypeHeader } from "#contract/resources/file-type-header.ts";
import { readBoundedText } from "#lib/bounded-body.ts";
import { streamOf } from "#lib/stream.ts";
import { parsedJson } from "#lib/json-value.ts";
import { answerOf } from "./answer.ts";
import { unnamedType } from "./uploads.ts";
import { bodyFailure } from "./connection.ts";
import { storedContent } from "./content.ts";
import { startDigest } from "./digest.ts";
import { isContentType } from "./encode.ts";
import type { ByteSource, UnsizedSource } from "./options.ts";
import type { Client } from "./surface.ts";
import type { FileSource, Resources } from "./surface/resources.ts";

const maximumLinkBytes = 64 * 1024;
const linkTimeoutMs = 30_000;

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
        headers: {
          ...headers,
          ...matching(version),
          ...typed(contentType ?? (("type" in file && file.type) || unnamedType)),
        },
        params: paramsOf(id, propertyName),
        query: { filename: name },
        content: watched(file, digest.update),
      });
      const sent = digest.hex();
      // A deployment may send no digest.
      if (sent !== undefined && (uploaded.sha256?.toLowerCase() ?? sent) !== sent) {
        throw catalogError(
          "E203",
          { details: "the platform stored other bytes than the client sent" },
          { hint: "Send the file again: the stored one is damaged" },
        );
      }
      return uploaded;
    },
    downloadFile: async (id, propertyName, options = {}) => {
      const input = { ...options, params: paramsOf(id, propertyName) };
      return await storedContent(client.resources.downloadFile, input);
    },
    fileUrl: async (id, propertyName, options = {}) => {
      const response = await client.resources.downloadFile({
        ...options,
        params: paramsOf(id, propertyName),
        query: { access: "url" },
      });
      const limits = { limitMs: linkTimeoutMs };
      const text = await readBoundedText(response, maximumLinkBytes, limits).catch(
        (error: unknown) => {
          options.signal?.throwIfAborted();
          const details = `the response can't be read: ${bodyFailure(error)}`;
          throw catalogError("E203", { details });
        },
      );
      const link = await answerOf("resources", "downloadFile", "alternative", parsedJson(text));
      if (link !== undefined) return link;
      throw catalogError("E203", { details: "the response has no URL" });
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

/** The bytes are always sent as `application/octet-stream` (spec 2.4). */
function typed(contentType: string): Record<string, string> {
  if (!isContentType(contentType)) {
    throw catalogError("E305", { details: "the content type can't be sent" });
  }
  return contentType === unnamedType ? {} : { [fileTypeHeader]: contentType };
}

function matching(version: number | undefined): Record<string, string> {
  return version === undefined ? {} : { "If-Match": `"${version}"` };
}

/** The last segment of the source's name: a `Bun.file` has a path there. */
function nameOf(file: FileSource): string | undefined {
  const name = "name" in file ? file.name?.split(/[/\\]/).at(-1) : undefined;
  return name === "" ? undefined : name;
}

function watched(
  file: FileSource,
  onChunk: (chunk: Uint8Array) => void,
): ByteSource | UnsizedSource {
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of file instanceof ReadableStream ? file : file.stream()) {
      onChunk(chunk);
      yield chunk;
    }
  }
  const stream = () => streamOf(chunks());
  return file instanceof ReadableStream ? { stream } : { size: file.size, stream };
}
