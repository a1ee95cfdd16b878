import { request as requestHttp, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { request as requestHttps, Agent as HttpsAgent } from "node:https";
import {
  AddressError,
  checkedLookup,
  checkedUrl,
  connectionFault,
  type AddressRules,
} from "./checked-address.ts";

export interface PostOptions extends AddressRules {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The limit from the look-up to the end of the answer. */
  readonly timeoutMs: number;
  /** The bytes of the answer that are kept; the rest is not read. */
  readonly keptBytes: number;
  /** Certificate authorities in addition to the runtime's. */
  readonly ca?: string | undefined;
}

/** The answer to a request, or why there is none. */
export type PostOutcome =
  | {
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The beginning of the body; bytes that are no UTF-8 are replaced. */
      readonly body: string;
    }
  | { readonly failure: "address" | "connection" | "timeout"; readonly error: string };

/**
 * Sends one POST without following redirects, over its own connection to an address that was
 * checked. It throws only when `signal` is aborted.
 */
export async function postOnce(
  address: string,
  body: string,
  options: PostOptions,
): Promise<PostOutcome> {
  const clock = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([clock, options.signal]);
  try {
    const response = await send(checkedUrl(address, options), body, options, signal);
    try {
      return {
        status: response.statusCode ?? 0,
        retryAfter: response.headers["retry-after"],
        body: await beginningOf(response, options.keptBytes, signal),
      };
    } finally {
      response.destroy();
    }
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof AddressError) {
      return { failure: "address", error: `The URL ${error.message}` };
    }
    if (clock.aborted) {
      const error = `There was no answer in ${options.timeoutMs / 1000} s`;
      return { failure: "timeout", error };
    }
    return { failure: "connection", error: `The connection failed: ${connectionFault(error)}` };
  }
}

function send(
  url: URL,
  body: string,
  options: PostOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  // A kept connection would need no look-up, and so no check.
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: false })
    : new HttpAgent({ keepAlive: false });
  const settings = {
    method: "POST",
    agent,
    signal,
    lookup: checkedLookup(url, options),
    headers: { ...options.headers, "content-length": String(Buffer.byteLength(body)) },
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  return new Promise((resolve, reject) => {
    const start = isSecure ? requestHttps : requestHttp;
    start(url.href, settings, resolve).on("error", reject).end(body);
  });
}

/** The first bytes of the answer; the time limit also applies to slow ones. */
async function beginningOf(
  response: IncomingMessage,
  limitBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const stop = (): void => {
    response.destroy(new Error("the answer took too long"));
  };
  signal.addEventListener("abort", stop, { once: true });
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      kept.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= limitBytes) break;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const text = new TextDecoder().decode(Buffer.concat(kept).subarray(0, limitBytes));
  // PostgreSQL stores no NUL character.
  return text.replaceAll("\0", "\u{fffd}");
}
