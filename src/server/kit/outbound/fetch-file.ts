import { createWriteStream } from "node:fs";
import { get as getHttp, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { get as getHttps, Agent as HttpsAgent } from "node:https";
import { pipeline } from "node:stream/promises";
import {
  AddressError,
  checkedLookup,
  checkedUrl,
  connectionFault,
  type AddressRules,
} from "./checked-address.ts";

/** Why a file was not fetched; the message completes the sentence "the URL …". */
export class FetchFileError extends Error {
  override readonly name = "FetchFileError";
}

export interface FetchFileOptions extends AddressRules {
  readonly signal: AbortSignal;
  readonly limitBytes: number;
  readonly timeoutMs: number;
  readonly redirects: number;
  /** Certificate authorities in addition to the runtime's. */
  readonly ca?: string | undefined;
}

export interface FetchedFile {
  /** The URL after all redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly size: number;
  /** The digest in hexadecimal digits. */
  readonly sha256: string;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches the file at an http or https URL into a new file at `path`. The addresses of the host
 * are checked when the connection is made, and again for each redirect, so that a name that
 * resolves differently later gains nothing. Sends no credentials. Throws {@link FetchFileError}.
 */
export async function fetchFile(
  address: string,
  path: string,
  options: FetchFileOptions,
): Promise<FetchedFile> {
  const clock = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([clock, options.signal]);
  try {
    let url = checkedUrl(address, options);
    for (let hop = 0; ; hop += 1) {
      const response = await request(url, options, signal);
      const { statusCode = 0, headers } = response;
      if (!redirectStatuses.has(statusCode) || headers.location === undefined) {
        return await save(url, response, path, options, signal);
      }
      response.destroy();
      if (hop === options.redirects) {
        throw new FetchFileError(`redirects more than ${options.redirects} times`);
      }
      const next = URL.parse(headers.location, url.href);
      if (next === null) throw new FetchFileError("redirects to an address that is not a URL");
      if (url.protocol === "https:" && next.protocol !== "https:") {
        throw new FetchFileError("redirects from https to another protocol");
      }
      url = checkedUrl(next.href, options);
    }
  } catch (error) {
    if (error instanceof FetchFileError) throw error;
    if (error instanceof AddressError) throw new FetchFileError(error.message, { cause: error });
    options.signal.throwIfAborted();
    if (clock.aborted) {
      throw new FetchFileError(`did not answer within ${options.timeoutMs / 1000} seconds`);
    }
    throw new FetchFileError(`could not be fetched: ${connectionFault(error)}`, { cause: error });
  }
}

async function request(
  url: URL,
  options: FetchFileOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  // A kept connection would need no look-up, and so no check.
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: false })
    : new HttpAgent({ keepAlive: false });
  const settings = {
    agent,
    signal,
    lookup: checkedLookup(url, options),
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "svc" },
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  return new Promise((resolve, reject) => {
    const get = isSecure ? getHttps : getHttp;
    get(url.href, settings, resolve).on("error", reject);
  });
}

async function save(
  url: URL,
  response: IncomingMessage,
  path: string,
  { limitBytes }: FetchFileOptions,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    throw new FetchFileError(`answered with the status ${statusCode}`);
  }
  const tooLarge = `has more than ${Math.floor(limitBytes / 1024 / 1024)} MiB`;
  if (Number(headers["content-length"] ?? 0) > limitBytes) {
    response.destroy();
    throw new FetchFileError(tooLarge);
  }
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    response.destroy();
    throw new FetchFileError("answered with an encoding that was not asked for");
  }
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > limitBytes) throw new FetchFileError(tooLarge);
      hasher.update(chunk);
      yield chunk;
    }
  }
  await pipeline(response, counted, createWriteStream(path, { mode: 0o600 }), { signal });
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) !== size) {
    throw new FetchFileError("broke off before the end of the file");
  }
  return {
    url: url.href,
    contentType: headers["content-type"] ?? "",
    contentDisposition: headers["content-disposition"] ?? "",
    size,
    sha256: hasher.digest("hex"),
  };
}
