import { maximumAnswerBytes } from "#contract/limits.ts";
import type { TimeLimit } from "#lib/time/time-limit.ts";
import type { StreamedBody } from "./outgoing.ts";

export interface Upload {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: StreamedBody;
}

/** The part of the DOM's `XMLHttpRequest` that uploads need. */
interface UploadRequest {
  responseType: string;
  readonly status: number;
  readonly response: unknown;
  readonly responseURL: string;
  readonly upload: EventTarget;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
  addEventListener(type: string, listener: (event: Event & Partial<Progress>) => void): void;
}

interface Progress {
  readonly loaded: number;
  readonly total: number;
}

interface PageGlobals {
  readonly fetch: unknown;
  readonly XMLHttpRequest?: new () => UploadRequest;
}

/** Headers that the browser sets; it writes an error to the console when a page tries. */
const browsersHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "content-length",
  "user-agent",
]);

/** Statuses whose response has no body (WHATWG Fetch, 2.2.3). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends an upload as one Blob, as browsers do it over every version of HTTP. Only `XMLHttpRequest`
 * reports the progress; a service worker and a caller's own `fetch` use `send`.
 */
export async function sendWhole(
  upload: Upload,
  limit: TimeLimit,
  mayUseOwn: boolean,
  send: (body: Blob) => Promise<Response>,
): Promise<Response> {
  const { body } = upload;
  const whole = await body.whole(limit.signal);
  const { XMLHttpRequest: Own }: PageGlobals = globalThis;
  if (mayUseOwn && Own !== undefined) {
    return await sendWithProgress(new Own(), upload, whole, limit.signal);
  }
  // Nothing shows whether bytes pass, so only the caller's own time limit ends the upload.
  if (body.onActivity !== undefined) limit.stopClock();
  body.allSent = true;
  const response = await send(whole);
  body.passed(whole.size, whole.size);
  return response;
}

async function sendWithProgress(
  request: UploadRequest,
  { method, url, headers, body }: Upload,
  whole: Blob,
  signal: AbortSignal,
): Promise<Response> {
  const stop = (): void => request.abort();
  try {
    return await new Promise<Response>((resolve, reject) => {
      const report = (sentBytes: number): void => {
        body.allSent = sentBytes === whole.size;
        body.passed(sentBytes, whole.size);
      };
      request.open(method, url);
      request.responseType = "arraybuffer";
      for (const [name, value] of headers) {
        if (!browsersHeaders.has(name)) request.setRequestHeader(name, value);
      }
      const failed = (): void => reject(new TypeError("The upload failed"));
      request.upload.addEventListener("progress", ({ loaded = 0 }: Event & Partial<Progress>) =>
        report(loaded),
      );
      request.upload.addEventListener("load", () => report(whole.size));
      request.addEventListener("progress", ({ loaded = 0 }) => {
        if (loaded > maximumAnswerBytes) request.abort();
      });
      request.addEventListener("error", failed);
      request.addEventListener("abort", failed);
      request.addEventListener("load", () => {
        if (!body.allSent) report(whole.size);
        resolve(responseOf(request, url));
      });
      signal.addEventListener("abort", stop, { once: true });
      request.send(whole);
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function responseOf(request: UploadRequest, url: string): Response {
  // The browser has already followed a redirect: it is reported as every other redirect.
  if (request.responseURL !== new URL(url).href) {
    return new Response(null, { status: 307, headers: { location: request.responseURL } });
  }
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { status, response } = request;
  const hasBody = response instanceof ArrayBuffer && !bodiless.has(status);
  return new Response(hasBody ? response : null, { status, headers });
}
