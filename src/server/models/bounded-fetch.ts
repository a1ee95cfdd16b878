import { ModelError } from "./model-error.ts";

/**
 * A fetch for a model endpoint: it follows no redirect, which would carry the key elsewhere, and a
 * response ends with an error after `maximumBytes`.
 */
export function boundedFetch(maximumBytes: number): typeof fetch {
  const send = async (
    input: Parameters<typeof fetch>[0],
    init?: Parameters<typeof fetch>[1],
  ): Promise<Response> => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelError("refused", { detail: "it redirects to another address" });
    }
    if (response.body === null) return response;
    let bytes = 0;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > maximumBytes) {
            controller.error(new ModelError("malformed", { detail: "it is too long" }));
          } else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded, { status, statusText, headers });
  };
  return Object.assign(send, { preconnect: fetch.preconnect });
}
