import type { Fetch, Sender } from "./sender.ts";

/** A sender without a library, for pages. */
export async function senderOf(fetch: Fetch): Promise<Sender> {
  return (url, init) => {
    // A stream is sent before its response begins.
    const streamed: object = init.body instanceof ReadableStream ? { duplex: "half" } : {};
    return fetch(new Request(url, { ...init, redirect: "manual", ...streamed }));
  };
}
