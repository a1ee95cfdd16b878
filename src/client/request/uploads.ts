import { catalogError, type CatalogError } from "#contract/errors.ts";
import { ChangedFileError, encodeMultipart, exactBytes } from "./multipart-encode.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { ByteSource, ProgressListener, UnsizedSource, UploadFile } from "../options.ts";
import type { StreamedBody } from "../transport/outgoing.ts";

/** The media type of bytes without a given type (RFC 9110, 8.3). */
export const unnamedType = "application/octet-stream";

/** A multipart body: text fields first, so that the server can refuse before it stores a file. */
export function streamedForm(
  fields: ReadonlyMap<string, unknown>,
  filesField: string,
  files: readonly UploadFile[],
  onProgress: ProgressListener | undefined,
): StreamedBody {
  if (files.length === 0) throw catalogError("E303", { field: "files" });
  for (const file of files) checkFile(file);
  const form = encodeMultipart({
    fields: [...fields]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)] as const),
    filesField,
    files: files.map((file) => ({
      filename: file.filename,
      contentType: file.contentType ?? unnamedType,
      content: file.content,
    })),
  });
  return new ProgressBody(form.contentType, form.size, () => form.chunks(), onProgress);
}

export function streamedBytes(
  content: ByteSource | UnsizedSource,
  contentType: string,
  onProgress: ProgressListener | undefined,
): StreamedBody {
  if (!("size" in content)) {
    return new ProgressBody(contentType, undefined, () => content.stream(), onProgress);
  }
  const open = () => exactBytes(content, "The content");
  return new ProgressBody(contentType, content.size, open, onProgress);
}

function checkFile(file: UploadFile): void {
  // A filename is a label, never a path.
  if (file.filename === "" || file.filename.length > 1024 || /[/\\\0]/.test(file.filename)) {
    throw catalogError("E305", {
      details: "a filename must have 1 to 1,024 characters and no path",
    });
  }
  if (!Number.isSafeInteger(file.content.size) || file.content.size < 0) {
    throw catalogError("E305", { details: `the size of ${file.filename} is not known` });
  }
}

class ProgressBody implements StreamedBody {
  allSent = false;
  failure: CatalogError | undefined;
  onActivity: (() => void) | undefined;

  constructor(
    readonly contentType: string,
    readonly size: number | undefined,
    private readonly open: () => AsyncIterable<Uint8Array>,
    private readonly onProgress: ProgressListener | undefined,
  ) {}

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    let sent = 0;
    try {
      for await (const chunk of this.open()) {
        sent += chunk.byteLength;
        // Set before the last bytes are passed on: from then on the outcome is unknown.
        this.allSent = sent === this.size;
        yield chunk;
        this.onActivity?.();
        this.onProgress?.(sent, this.size ?? sent);
      }
      this.allSent = true;
    } catch (error) {
      this.failure = catalogError("E305", { details: readFailure(error) });
      throw this.failure;
    }
  }
}

function readFailure(error: unknown): string {
  if (error instanceof ChangedFileError) return error.message;
  if (systemErrorCode(error) === undefined) return "the file could not be read";
  return `the file could not be read: ${systemErrorWords(error)}`;
}
