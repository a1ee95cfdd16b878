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
  const form = encodeMultipart({
    fields: [...fields]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)] as const),
    filesField,
    files,
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
  const files = form.files.map((file) => ({
    file,
    head: encoder.encode(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(form.filesField)}"; ` +
        `filename="${quoted(file.filename)}"\r\n` +
        `content-type: ${mediaType(file.contentType)}\r\n\r\n`,
    ),
  }));
  const fileEnd = encoder.encode("\r\n");
  const end = encoder.encode(`--${boundary}--\r\n`);
  const size = files.reduce(
    (sum, { file, head }) => sum + head.byteLength + file.content.size + fileEnd.byteLength,
    fields.byteLength + end.byteLength,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size,
    async *chunks() {
      yield fields;
      for (const { file, head } of files) {
        yield head;
        yield* exactBytes(file.content, file.filename);
        yield fileEnd;
      }
      yield end;
    },
  };
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
