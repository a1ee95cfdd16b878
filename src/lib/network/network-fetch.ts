import { isLoopbackHost } from "./loopback.ts";
import { ProxyRefusal, proxyRefusalOf } from "./proxy-refusal.ts";

/** True if a URL's host is this machine, including names below `localhost` (RFC 6761, 6.3). */
export function isLoopback({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith(".localhost");
}

/** True if requests to the URL cross a network without encryption. */
export function isReadableOnNetwork(url: URL): boolean {
  return url.protocol === "http:" && !isLoopback(url);
}

// The runtime reads two variables from the environment: one turns certificate checks off, the other
// names a proxy, which would receive the credentials of requests to this machine.
const checkedCertificates: object = { tls: { rejectUnauthorized: true } };
const noProxy: object = { proxy: false };
// The runtime stops after five minutes by default; the caller sets the time limit instead.
const callersLimit: object = { timeout: false };

/**
 * `fetch` with checked certificates; requests to this machine never go through a proxy. Throws
 * {@link ProxyRefusal} when a proxy does not pass on the request.
 */
export async function networkFetch(request: Request, init?: RequestInit): Promise<Response> {
  const url = new URL(request.url);
  const safeguards = {
    ...(url.protocol === "https:" ? checkedCertificates : {}),
    ...(isLoopback(url) ? noProxy : {}),
    ...callersLimit,
  };
  let response: Response;
  try {
    response = await fetch(request, { ...init, ...safeguards });
  } catch (error) {
    throw proxyRefusalOf(error) ?? error;
  }
  if (response.status !== 407) return response;
  await response.body?.cancel();
  throw new ProxyRefusal(407);
}
