import { readMultipart } from "#server/http/body/multipart.ts";
import type { FormLimits } from "#server/http/body/multipart.ts";

export const boundary = "----border7";
export const multipartType = `multipart/form-data; boundary=${boundary}`;

export interface Part {
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

export function form(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ headers, body }) => [
      Buffer.from(`--${boundary}\r\n${headers.join("\r\n")}\r\n\r\n`),
      typeof body === "string" ? Buffer.from(body) : body,
      Buffer.from("\r\n"),
    ]),
    Buffer.from(end),
  ]);
}

export interface SentBody {
  readonly request: Request;
  /** The number of pulled chunks, and whether the reader cancelled the body. */
  readonly state: { pulled: number; cancelled: boolean };
}

/** A request with a body in chunks of the given sizes; the last size repeats. */
export function send(
  body: Buffer,
  sizes: readonly number[] = [65_536],
  type = multipartType,
): SentBody {
  const state = { pulled: 0, cancelled: false };
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const size = sizes[Math.min(state.pulled, sizes.length - 1)] ?? 1;
        state.pulled += 1;
        if (offset >= body.length) return controller.close();
        controller.enqueue(new Uint8Array(body.subarray(offset, offset + size)));
        offset += size;
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": type };
  return {
    request: new Request("http://127.0.0.1/", { method: "POST", body: stream, headers }),
    state,
  };
}

export async function collect(request: Request, limits?: FormLimits): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of readMultipart(request, limits)) {
    if (part.kind === "field") parts.push([part.name, part.value]);
    else {
      const pieces: Uint8Array[] = [];
      for await (const piece of part.content) pieces.push(Uint8Array.from(piece));
      const bytes = Buffer.concat(pieces).toString("latin1");
      parts.push([part.name, part.filename, part.contentType, bytes]);
    }
  }
  return parts;
}
