import { catalogError } from "#contract/errors.ts";
import { loopbackRedirectPath } from "#contract/sign-in.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { cardStyle, htmlPage } from "#lib/html-page.ts";
import { html } from "#lib/html.ts";

export interface Callback {
  readonly parameters: URLSearchParams;
  /** Sends the page that the browser waits for; call it once. */
  readonly show: (end: "signed-in" | "failed") => void;
}

export interface LoopbackListener {
  readonly redirectUri: string;
  /** The first request with the right state; other requests are refused. */
  readonly callback: Promise<Callback>;
  /** Closes the port; waits up to 500 ms until the page is sent. */
  close(): Promise<void>;
}

const drainMs = 500;

/** Waits on 127.0.0.1 for the browser's GET with this sign-in's state (RFC 8252). Throws E104. */
export function listenForCallback(state: string, port: number): LoopbackListener {
  const answered = Promise.withResolvers<Callback>();
  let taken = false;
  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    // Another `Host` means DNS rebinding.
    const rightHost = request.headers.get("host") === `127.0.0.1:${server.port}`;
    if (!rightHost || request.method !== "GET" || url.pathname !== loopbackRedirectPath) {
      return resultPage(404, "Nothing here", "This is not the page you are looking for.");
    }
    const states = url.searchParams.getAll("state");
    if (states.length !== 1 || !sameText(states[0] ?? "", state)) {
      return resultPage(400, "Not this sign-in", "Continue in the tab that your terminal opened.");
    }
    if (taken) return resultPage(409, "Already used", "This callback was already used.");
    taken = true;
    const shown = Promise.withResolvers<Response>();
    answered.resolve({
      parameters: url.searchParams,
      show: (end) =>
        shown.resolve(
          end === "signed-in"
            ? resultPage(200, "You are signed in", "Close this tab and return to your terminal.")
            : resultPage(400, "You are not signed in", "Close this tab: your terminal shows why."),
        ),
    });
    return await shown.promise;
  };
  const server = serve(port, handle);
  return {
    redirectUri: `http://127.0.0.1:${server.port}${loopbackRedirectPath}`,
    callback: answered.promise,
    close: async () => {
      const drained = Promise.withResolvers<void>();
      const timer = setTimeout(drained.resolve, drainMs);
      await Promise.race([server.stop(), drained.promise]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}

function serve(port: number, handle: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      fetch: handle,
      maxRequestBodySize: 1024,
      idleTimeout: 60,
      error: () => new Response(null, { status: 500 }),
    });
  } catch (error) {
    const inUse = systemErrorCode(error) === "EADDRINUSE";
    throw catalogError("E104", {
      details: inUse
        ? `port ${port} of 127.0.0.1 is in use`
        : `port ${port} of 127.0.0.1 can't be opened`,
    });
  }
}

/** A page for the browser; it loads nothing and has no scripts. */
function resultPage(status: number, heading: string, sentence: string): Response {
  const document = htmlPage(heading, html`<p>${sentence}</p>`, cardStyle);
  return new Response(document.text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      // The listener closes after this response.
      connection: "close",
    },
  });
}

/** Compares in constant time. */
function sameText(left: string, right: string): boolean {
  const a = new TextEncoder().encode(left);
  const b = new TextEncoder().encode(right);
  return a.byteLength === b.byteLength && crypto.timingSafeEqual(a, b);
}
