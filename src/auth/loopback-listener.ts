import { catalogError } from "#contract/errors.ts";
import { loopbackRedirectPath } from "#contract/sign-in.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { resultPage } from "./result-page.ts";

/** The browser's answer, and how to end the page that it waits for. */
export interface Callback {
  readonly parameters: URLSearchParams;
  /** Shows how it ended; the terminal has the words of a failure. Call it exactly once. */
  show(end: "signed-in" | "failed"): void;
}

export interface LoopbackListener {
  readonly redirectUri: string;
  /** The first answer that carries the right state; everything else that arrives is ignored. */
  readonly callback: Promise<Callback>;
  /** Takes no more connections; waits a moment for the page to be sent. */
  close(): Promise<void>;
}

const drainMs = 500;

/**
 * Waits for the browser on 127.0.0.1 (RFC 8252). Only a GET of the callback path with the very
 * state of this sign-in, addressed to this very host, is an answer; it is taken once. Throws E104
 * when the port is in use.
 */
export function listenForCallback(state: string, port: number): LoopbackListener {
  const answered = Promise.withResolvers<Callback>();
  let taken = false;
  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    // Another name for this address in `Host` is a page that has rebound its own name to it.
    const rightHost = request.headers.get("host") === `127.0.0.1:${server.port}`;
    if (!rightHost || request.method !== "GET" || url.pathname !== loopbackRedirectPath) {
      return resultPage(404, "Nothing here", "This is not the page you are looking for.");
    }
    const states = url.searchParams.getAll("state");
    if (states.length !== 1 || !sameText(states[0] ?? "", state)) {
      return resultPage(400, "Not this sign-in", "Go on in the tab that your terminal opened.");
    }
    if (taken) return resultPage(409, "Already used", "This answer was taken before.");
    taken = true;
    const shown = Promise.withResolvers<Response>();
    answered.resolve({
      parameters: url.searchParams,
      show: (end) =>
        shown.resolve(
          end === "signed-in"
            ? resultPage(200, "You are signed in", "Close this tab and go back to your terminal.")
            : resultPage(400, "You are not signed in", "Close this tab: your terminal says why."),
        ),
    });
    return await shown.promise;
  };
  const server = serve(port, handle);
  return {
    redirectUri: `http://127.0.0.1:${server.port}${loopbackRedirectPath}`,
    callback: answered.promise,
    close: async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const drained = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, drainMs);
      });
      await Promise.race([server.stop(), drained]);
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
        : `127.0.0.1 port ${port} can't be listened on`,
    });
  }
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(left: string, right: string): boolean {
  const a = new TextEncoder().encode(left);
  const b = new TextEncoder().encode(right);
  return a.byteLength === b.byteLength && crypto.timingSafeEqual(a, b);
}
