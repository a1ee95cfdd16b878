import { maximumUploadFiles } from "#contract/limits.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { formBoundary, parsePartHeaders, type PartHeaders } from "./multipart-headers.ts";
import { freeChunk, networkRequests } from "./body-stream.ts";

export interface FieldPart {
  readonly kind: "field";
  readonly name: string;
  readonly value: string;
}

/** A file of a form. Read `content` to its end before asking for the next part. */
export interface FilePart {
  readonly kind: "file";
  readonly name: string;
  /** The client's text, for display only; never a path. */
  readonly filename: string;
  /** The type that the client claims, unchecked. */
  readonly contentType: string | undefined;
  /** Chunks of the network's buffers; each is valid until the next one is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

export type FormPart = FieldPart | FilePart;

/** Bounds of a form. The file store bounds the files' contents. */
export const defaultFormLimits = {
  fields: 64,
  files: maximumUploadFiles,
  fieldBytes: 64 * 1024,
  headerBytes: 8 * 1024,
  nameBytes: 128,
  filenameBytes: 1024,
};
export type FormLimits = Readonly<typeof defaultFormLimits>;

/** Bytes before the first boundary that are ignored (RFC 2046 5.1.1). */
const preambleBytes = 1024;

/**
 * Reads a multipart/form-data body part by part with the memory of one network buffer. To leave the
 * loop early keeps the rest, which the pipeline discards. Refuses with unsupported-media-type,
 * malformed-body, content-too-large and validation-failed.
 */
export async function* readMultipart(
  request: Request,
  limits: FormLimits = defaultFormLimits,
): AsyncGenerator<FormPart, void, void> {
  const boundary = formBoundary(request.headers.get("content-type"));
  if (boundary === undefined) {
    throw new Refusal("unsupported-media-type", {
      detail: "The body must be multipart/form-data with a boundary",
    });
  }
  if (request.body === null) throw malformed("it is empty");
  const scanner = new Scanner(request.body.getReader(), networkRequests.has(request));
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let fields = 0;
  let files = 0;
  try {
    await scanner.until(delimiter, preambleBytes, () =>
      malformed("it does not start with its boundary"),
    );
    while (await scanner.partFollows(limits.headerBytes)) {
      const headers = await readHeaders(scanner, limits);
      if (headers.filename === undefined) {
        fields += 1;
        if (fields > limits.fields) throw tooLarge(`A form may have ${limits.fields} fields`);
        const value = await scanner.until(delimiter, limits.fieldBytes, () =>
          tooLarge(`The field ${JSON.stringify(headers.name)} is too long`),
        );
        yield { kind: "field", name: headers.name, value: decode(value, headers.name) };
      } else {
        files += 1;
        if (files > limits.files) throw tooLarge(`A form may have ${limits.files} files`);
        const { name, filename, contentType } = headers;
        yield { kind: "file", name, filename, contentType, content: scanner.stream(delimiter) };
        await scanner.skipStream(delimiter);
      }
    }
  } finally {
    scanner.release();
  }
}

const headersEnd = Buffer.from("\r\n\r\n");

async function readHeaders(scanner: Scanner, limits: FormLimits): Promise<PartHeaders> {
  const block = await scanner.until(headersEnd, limits.headerBytes, () =>
    malformed("a part's header fields are too long"),
  );
  const headers = parsePartHeaders(new TextDecoder().decode(block));
  if (headers === undefined) throw malformed("a part's header fields could not be read");
  if (Buffer.byteLength(headers.name) > limits.nameBytes) {
    throw malformed(`a part's name is longer than ${limits.nameBytes} bytes`);
  }
  const { filename } = headers;
  if (filename === undefined) return headers;
  if (filename === "") throw badFile(headers.name, "has no file name");
  if (filename.includes("\0")) throw badFile(headers.name, "has a NUL character in its file name");
  if (Buffer.byteLength(filename) > limits.filenameBytes) {
    throw badFile(headers.name, `has a file name longer than ${limits.filenameBytes} bytes`);
  }
  return headers;
}

function decode(bytes: Uint8Array, name: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badFile(name, "is not UTF-8 text");
  }
  if (text.includes("\0")) throw badFile(name, "has a NUL character");
  return text;
}

function badFile(name: string, detail: string): Refusal {
  return new Refusal("validation-failed", {
    detail: `The part ${JSON.stringify(name)} ${detail}`,
    errors: [{ pointer: pointer(name), detail }],
  });
}

function malformed(detail: string): Refusal {
  return new Refusal("malformed-body", { detail: `The form could not be read: ${detail}` });
}

function tooLarge(detail: string): Refusal {
  return new Refusal("content-too-large", { detail });
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  releaseLock(): void;
}

/** Finds delimiters in a stream of chunks; holds at most one chunk and a delimiter's length. */
class Scanner {
  /** Begins with a line end, because the first boundary may have none before it. */
  #window: Buffer = Buffer.from("\r\n");
  /** The chunk under the window, to be freed after it. */
  #chunk: Uint8Array | undefined;
  #streaming = false;

  constructor(
    private readonly reader: BodyReader,
    private readonly ownsChunks: boolean,
  ) {}

  /** The bytes before the delimiter, at most `limitBytes`; also consumes the delimiter. */
  async until(delimiter: Buffer, limitBytes: number, refusal: () => Refusal): Promise<Buffer> {
    let from = 0;
    for (;;) {
      const at = this.#window.indexOf(delimiter, from);
      const length = at < 0 ? this.#window.length - delimiter.length : at;
      if (length > limitBytes) throw refusal();
      if (at >= 0) {
        const found = this.#window.subarray(0, at);
        this.#window = this.#window.subarray(at + delimiter.length);
        return found;
      }
      from = Math.max(0, this.#window.length - delimiter.length + 1);
      await this.#more();
    }
  }

  /** True if another part follows a boundary, or the `--` of the form's end. */
  async partFollows(limitBytes: number): Promise<boolean> {
    while (this.#window.length < 2) {
      await this.#more();
    }
    if (this.#window[0] === 0x2d && this.#window[1] === 0x2d) return false;
    const padding = await this.#peekLine(limitBytes);
    if (/[^ \t]/.test(padding)) throw malformed("a boundary is followed by other text");
    return true;
  }

  /** Leaves the line end in the window: it ends the header block of a part without fields. */
  async #peekLine(limitBytes: number): Promise<string> {
    for (;;) {
      const at = this.#window.indexOf("\r\n");
      if (at >= 0) {
        const line = this.#window.toString("latin1", 0, at);
        this.#window = this.#window.subarray(at);
        return line;
      }
      if (this.#window.length > limitBytes) throw malformed("a boundary's line does not end");
      await this.#more();
    }
  }

  stream(delimiter: Buffer): AsyncIterable<Uint8Array> {
    this.#streaming = true;
    return this.#chunks(delimiter);
  }

  /** Skips what the consumer of {@link stream} has not read. */
  async skipStream(delimiter: Buffer): Promise<void> {
    if (!this.#streaming) return;
    for await (const _unread of this.#chunks(delimiter));
  }

  async *#chunks(delimiter: Buffer): AsyncGenerator<Uint8Array, void, void> {
    while (this.#streaming) {
      const at = this.#window.indexOf(delimiter);
      if (at >= 0) {
        const last = this.#window.subarray(0, at);
        this.#window = this.#window.subarray(at + delimiter.length);
        this.#streaming = false;
        if (last.length > 0) yield last;
        return;
      }
      const keep = overlap(this.#window, delimiter);
      const ready = this.#window.subarray(0, this.#window.length - keep);
      this.#window = this.#window.subarray(this.#window.length - keep);
      if (ready.length > 0) yield ready;
      await this.#more();
    }
  }

  release(): void {
    this.reader.releaseLock();
  }

  async #more(): Promise<void> {
    if (this.#window.length === 0) this.#free();
    const { done, value } = await this.reader.read();
    if (done || value === undefined) {
      throw malformed("it ends before its last boundary");
    }
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const isJoined = this.#window.length > 0;
    const window = isJoined ? Buffer.concat([this.#window, chunk]) : chunk;
    this.#free();
    this.#window = window;
    this.#chunk = value;
    if (isJoined) this.#free(window);
  }

  #free(window: Buffer = noBytes): void {
    this.#window = window;
    const chunk = this.#chunk;
    this.#chunk = undefined;
    if (this.ownsChunks && chunk !== undefined) freeChunk(chunk);
  }
}

const noBytes = Buffer.alloc(0);

/** Number of bytes at the window's end that may be the start of a delimiter. */
function overlap(window: Buffer, delimiter: Buffer): number {
  const longest = Math.min(window.length, delimiter.length - 1);
  for (let length = longest; length > 0; length -= 1) {
    const tail = window.length - length;
    // The first byte is rare in most files, so it is compared first.
    if (window[tail] === delimiter[0] && window.compare(delimiter, 0, length, tail) === 0) {
      return length;
    }
  }
  return 0;
}
