// Refuses what a page of another site may send from its visitor's browser.
const machine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * The address of the pages: APP_URL, or this machine's. The client of `svc provision entra` returns
 * to localhost; the platform's own client returns to 127.0.0.1.
 */
export function ownAddress({ APP_URL, SVC_AUTH_CLIENT_ID }, port) {
  return new URL(APP_URL || `http://${SVC_AUTH_CLIENT_ID ? "localhost" : "127.0.0.1"}:${port}`);
}

export function isThisMachine(host) {
  return machine.test(host);
}

/** Returns the name of the field that shows a foreign page, or undefined. */
export function requestCheck(own) {
  return ({ method, headers }) => {
    const { host = "", origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
    // A name that was rebound to this machine (DNS rebinding) is another one.
    if (host !== own.host && !isThisMachine(host)) return "Host";
    const pageOrigin = host === own.host ? own.origin : `http://${host}`;
    if (origin !== undefined && origin !== pageOrigin) return "Origin";
    // A link on another site, and the sign-in, may lead here.
    const isVisit = mode === "navigate" && method === "GET";
    if (site !== undefined && site !== "same-origin" && site !== "none" && !isVisit) {
      return "Sec-Fetch-Site";
    }
    return undefined;
  };
}
