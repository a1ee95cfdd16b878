/** Streams multipart/form-data of known length (RFC 7578); FormData would read whole files. */

/** A source of bytes that is opened when it is read. */
export interface StreamedBytes {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

export interface MultipartFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: StreamedBytes;
}

export interface MultipartForm {
  /** Fields come before files, in this order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly filesField: string;
  readonly files: readonly MultipartFile[];
}

export interface EncodedForm {
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
        `content-type: ${fieldValue(file.contentType)}\r\n\r\n`,
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
  content: StreamedBytes,
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

function fieldValue(contentType: string): string {
  return /^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(contentType)
    ? contentType
    : "application/octet-stream";
}
