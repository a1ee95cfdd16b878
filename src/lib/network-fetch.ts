import { isLoopbackHost } from "./loopback.ts";

/** Whether a URL's host is this machine; names below `localhost` are as well (RFC 6761, 6.3). */
export function isLoopback({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith(".localhost");
}

// The runtime reads both from the environment: a variable that turns certificate checks off, and a
// proxy that would be handed the credentials of requests to this very machine.
const checkedCertificates: object = { tls: { rejectUnauthorized: true } };
const noProxy: object = { proxy: false };
// The runtime would give up after five minutes by itself: how long to wait is the caller's to say.
const callersLimit: object = { timeout: false };

/**
 * `fetch` for requests that carry credentials: certificates are always checked, and requests to
 * this machine never go through a proxy.
 */
export async function networkFetch(request: Request, init?: RequestInit): Promise<Response> {
  const url = new URL(request.url);
  const safeguards = {
    ...(url.protocol === "https:" ? checkedCertificates : {}),
    ...(isLoopback(url) ? noProxy : {}),
    ...callersLimit,
  };
  return await fetch(request, { ...init, ...safeguards });
}
