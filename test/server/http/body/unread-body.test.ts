import { expect, test } from "vitest";
import { cancelRest, discardRest } from "#server/http/body/unread-body.ts";

function post(body: ReadableStream<Uint8Array> | string): Request {
  return new Request("http://a.test/", { method: "POST", body });
}

/** A body without an end, which counts its chunks. */
function endless(): { readonly body: ReadableStream<Uint8Array>; chunks: number; ended: boolean } {
  const facts = { chunks: 0, ended: false, body: new ReadableStream<Uint8Array>() };
  facts.body = new ReadableStream({
    pull(controller) {
      facts.chunks += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    },
    cancel() {
      facts.ended = true;
    },
  });
  return facts;
}

test("a rest is read to its end, but not beyond 8 MiB", async () => {
  expect(await discardRest(post("rest"))).toBe(true);
  expect(await discardRest(new Request("http://a.test/"))).toBe(true);
  const large = endless();
  expect(await discardRest(post(large.body))).toBe(false);
  expect(large.chunks).toBeLessThan(12);
  expect(large.ended).toBe(true);
});

test("a body that another reader has is left to it", async () => {
  const request = post("rest");
  request.body?.getReader();
  expect(await discardRest(request)).toBe(true);
  const other = endless();
  await cancelRest(post(other.body));
  expect(other.ended).toBe(true);
});
