import { type CallSettings } from "../world.ts";

/** A deployment that always sends one response, and records the requests. */
export function answering(
  body: string | Uint8Array<ArrayBuffer> | null,
  init: ResponseInit = {},
): { seen: { method: string; url: URL; headers: Headers; body: string }[] } & CallSettings {
  const seen: { method: string; url: URL; headers: Headers; body: string }[] = [];
  return {
    seen,
    fetch: async (request) => {
      const { method, headers } = request;
      seen.push({ method, url: new URL(request.url), headers, body: await request.text() });
      return new Response(body, init);
    },
  };
}
