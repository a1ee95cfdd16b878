import { expect, test } from "vitest";
import { postOnce } from "#server/kit/outbound/post-once.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";

type Answer = (request: Request) => Response | Promise<Response>;

/** A receiver on loopback whose host is named, as an operator would. */
function receiver(fetch: Answer) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  afterEveryTest(() => server.stop(true));
  const allowedHosts = new Set([`127.0.0.1:${server.port}`]);
  return (options: { readonly timeoutMs?: number; readonly keptBytes?: number } = {}) =>
    postOnce(`http://127.0.0.1:${server.port}/hook`, "body", {
      headers: { "x-test": "1" },
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      keptBytes: 5,
      allowedHosts,
      ...options,
    });
}

test("one request is sent, and the beginning of its answer is kept", async () => {
  const send = receiver(async (request) =>
    Response.json(`${request.method} ${await request.text()} ${request.headers.get("x-test")}`),
  );
  expect(await send({ keptBytes: 100 })).toEqual({
    status: 200,
    retryAfter: undefined,
    body: '"POST body 1"',
  });
  expect(await send()).toMatchObject({ body: '"POST' });
});

test("a redirect is an answer and is not followed", async () => {
  const paths: string[] = [];
  const send = receiver((request) => {
    paths.push(new URL(request.url).pathname);
    return new Response(null, { status: 302, headers: { location: "/other" } });
  });
  expect(await send()).toMatchObject({ status: 302 });
  expect(paths).toEqual(["/hook"]);
});

test("an endless answer ends after the bytes that are kept", async () => {
  const send = receiver(
    () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1024)) })),
  );
  expect(await send()).toMatchObject({ status: 200, body: "\u{fffd}".repeat(5) });
});

test("a silent endpoint ends at the time limit", async () => {
  const send = receiver(() => new Promise<Response>(() => {}));
  expect(await send({ timeoutMs: 50 })).toEqual({
    failure: "timeout",
    error: "There was no answer in 0.05 s",
  });
});

test("an address that the operator did not name is refused without a request", async () => {
  const options = { headers: {}, signal: AbortSignal.timeout(5_000), timeoutMs: 5_000 };
  const outcome = await postOnce("http://127.0.0.1:9/", "", {
    ...options,
    keptBytes: 1,
    allowedHosts: new Set(),
  });
  expect(outcome).toEqual({
    failure: "address",
    error: "The URL names a host whose address is not public",
  });
});
