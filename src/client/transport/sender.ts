import type { requestBody } from "./outgoing.ts";

interface SentInit {
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly body?: NonNullable<ReturnType<typeof requestBody>>;
}

/** Sends one request, and returns whatever the platform answers. */
export type Sender = (url: string, init: SentInit) => Promise<Response>;

/** The `fetch` of the runtime, or the one that a client was given. */
export type Fetch = (request: Request) => Promise<Response>;

/** A sender by ky; a page has that of `page-sender.ts`, which is smaller. */
export async function senderOf(fetch: Fetch): Promise<Sender> {
  const { default: ky } = await import("ky");
  return ky.create({
    // ky always passes a Request; text and URL are only in its types.
    fetch: (input) => fetch(input instanceof Request ? input : new Request(String(input))),
    // ky's retries repeat PUT and DELETE, its timeout does not cover the body, and its HTTP error
    // has the request with the token.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: "manual",
  });
}
