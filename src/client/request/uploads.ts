import { catalogError, type CatalogError } from "#contract/errors.ts";
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
  const { contentType, size, parts } = encodeMultipart({
    fields: [...fields]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)] as const),
    filesField,
    files,
  });
  return new ProgressBody(contentType, size, parts, onProgress);
}

export function streamedBytes(
  content: ByteSource | UnsizedSource,
  contentType: string,
  onProgress: ProgressListener | undefined,
): StreamedBody {
  const size = "size" in content ? content.size : undefined;
  return new ProgressBody(contentType, size, [{ content, name: "The content" }], onProgress);
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

/** A piece of a body: framing, or a source that is opened when its turn comes. */
type Part = Uint8Array<ArrayBuffer> | NamedContent;

interface NamedContent {
  readonly content: ByteSource | UnsizedSource;
  /** The source's name for messages. */
  readonly name: string;
}

class ProgressBody implements StreamedBody {
  allSent = false;
  failure: CatalogError | undefined;
  onActivity: (() => void) | undefined;

  constructor(
    readonly contentType: string,
    readonly size: number | undefined,
    private readonly parts: readonly Part[],
    private readonly onProgress: ProgressListener | undefined,
  ) {}

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    let sent = 0;
    try {
      for (const part of this.parts) {
        for await (const chunk of chunksOf(part)) {
          sent += chunk.byteLength;
          // Set before the last bytes are passed on: from then on the outcome is unknown.
          this.allSent = sent === this.size;
          yield chunk;
          this.passed(sent, this.size ?? sent);
        }
      }
      this.allSent = true;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async whole(signal: AbortSignal): Promise<Blob> {
    const blobs: Blob[] = [];
    try {
      for (const part of this.parts) {
        if (!(part instanceof Uint8Array) && part.content instanceof Blob) {
          // The send can't report that a chosen file was changed or removed: a first read does.
          await part.content.slice(0, 1).arrayBuffer();
          blobs.push(part.content);
          continue;
        }
        for await (const chunk of chunksOf(part)) {
          if (signal.aborted) break;
          blobs.push(new Blob([new Uint8Array(chunk)]));
          this.onActivity?.();
        }
      }
    } catch (error) {
      throw this.#failed(error);
    }
    signal.throwIfAborted();
    return new Blob(blobs);
  }

  passed(sentBytes: number, totalBytes: number): void {
    this.onActivity?.();
    this.onProgress?.(sentBytes, totalBytes);
  }

  #failed(error: unknown): CatalogError {
    this.failure = catalogError("E305", { details: readFailure(error) });
    return this.failure;
  }
}

async function* chunksOf(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  if (part instanceof Uint8Array) yield part;
  else if ("size" in part.content) yield* exactBytes(part.content, part.name);
  else yield* part.content.stream();
}

function readFailure(error: unknown): string {
  if (error instanceof ChangedFileError) return error.message;
  if (systemErrorCode(error) === undefined) return "the file could not be read";
  return `the file could not be read: ${systemErrorWords(error)}`;
}

/** A form of known length (RFC 7578); FormData would read whole files. */
interface MultipartForm {
  /** Fields come before files, in this order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly filesField: string;
  readonly files: readonly UploadFile[];
}

interface EncodedForm {
  readonly contentType: string;
  /** Bytes of the whole body. */
  readonly size: number;
  readonly parts: readonly Part[];
  /** The body's bytes; opens each file when it is reached. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
}

/** A file changed while it was read: its number of bytes differs from its announced size. */
export class ChangedFileError extends Error {
  override readonly name = "ChangedFileError";
  readonly filename: string;
  constructor(filename: string) {
    super(`${filename} changed while it was being read`);
    this.filename = filename;
  }
}

/** Encodes a form; the default `boundary` is random. */
export function encodeMultipart(
  form: MultipartForm,
  boundary = `----svc${crypto.randomUUID().replaceAll("-", "")}`,
): EncodedForm {
  const encoder = new TextEncoder();
  const fields = encoder.encode(
    form.fields
      .map(
        ([name, value]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n` +
          `${normalLineEnds(value)}\r\n`,
      )
      .join(""),
  );
  const fileEnd = encoder.encode("\r\n");
  const files = form.files.flatMap(({ filename, contentType, content }): Part[] => [
    encoder.encode(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(form.filesField)}"; ` +
        `filename="${quoted(filename)}"\r\n` +
        `content-type: ${mediaType(contentType)}\r\n\r\n`,
    ),
    { content, name: filename },
    fileEnd,
  ]);
  const parts: Part[] = [fields, ...files, encoder.encode(`--${boundary}--\r\n`)];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: parts.reduce((sum, part) => sum + sizeOf(part), 0),
    parts,
    async *chunks() {
      for (const part of parts) yield* chunksOf(part);
    },
  };
}

function sizeOf(part: Part): number {
  if (part instanceof Uint8Array) return part.byteLength;
  return "size" in part.content ? part.content.size : 0;
}

/** A source's bytes; throws {@link ChangedFileError} if their number is not the announced size. */
export async function* exactBytes(
  content: ByteSource,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const expected = content.size;
  let size = 0;
  for await (const chunk of content.stream()) {
    size += chunk.byteLength;
    if (size > expected) throw new ChangedFileError(name);
    yield chunk;
  }
  if (size !== expected) throw new ChangedFileError(name);
}

/** Names as the WHATWG HTML standard writes them: only quote, CR and LF are escaped. */
function quoted(name: string): string {
  return name.toWellFormed().replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Field values have CRLF line ends (WHATWG HTML, multipart/form-data encoding). */
function normalLineEnds(value: string): string {
  return value.toWellFormed().replace(/\r\n?|\n/g, "\r\n");
}

function mediaType(given: string = unnamedType): string {
  return /^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(given) ? given : unnamedType;
}
