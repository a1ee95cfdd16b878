import { isLoopbackHost } from "#lib/network/loopback.ts";

/** An OpenAI-compatible endpoint and its models, as the operator names them. */
export interface ModelEndpoint {
  /** The URL up to `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly chatModel?: string | undefined;
  readonly embeddingModel?: string | undefined;
  /** A chat model that reads images. */
  readonly visionModel?: string | undefined;
}

const longestName = 255;

/** Checks an endpoint; throws a TypeError that quotes no key. */
export function checkedEndpoint(endpoint: ModelEndpoint): ModelEndpoint {
  const { apiKey, chatModel, embeddingModel, visionModel } = endpoint;
  const url = URL.parse(endpoint.baseUrl);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError("the model endpoint must be an http or https URL");
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError("the URL of the model endpoint must have no password");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError("the URL of the model endpoint must have no query or fragment");
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLinkLocal(host)) {
    throw new TypeError("the model endpoint must not be a link-local address");
  }
  if (apiKey !== undefined) {
    if (!/^[\x21-\x7e]{1,4096}$/.test(apiKey)) {
      throw new TypeError("the key of the model endpoint must be one line of visible ASCII");
    }
    if (url.protocol === "http:" && !isNearby(host)) {
      throw new TypeError("the model endpoint has a key, so its URL must begin with https://");
    }
  }
  for (const name of [chatModel, embeddingModel, visionModel]) {
    if (name !== undefined && (name.trim() === "" || name.length > longestName)) {
      throw new TypeError(`a model's name must have 1 to ${longestName} characters`);
    }
  }
  if (chatModel === undefined && embeddingModel === undefined && visionModel === undefined) {
    throw new TypeError("the model endpoint needs the name of a chat or an embedding model");
  }
  return { ...endpoint, baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, "")}` };
}

/** Link-local addresses serve the credentials of cloud machines. */
function isLinkLocal(host: string): boolean {
  return /^(?:::ffff:)?169\.254\./.test(host) || /^(?:fe[89ab]|::ffff:a9fe)/i.test(host);
}

/** This machine, a private network, or a name without a domain: a key may cross it in clear. */
function isNearby(host: string): boolean {
  return (
    isLoopbackHost(host) ||
    /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host) ||
    /^f[cd][0-9a-f]{2}:/i.test(host) ||
    !/[.:]/.test(host)
  );
}
