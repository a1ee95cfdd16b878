import { expect, test } from "vitest";
import { streamedResponses } from "#server/http/response/body-sources.ts";
import { ForwardedRequests } from "#server/platform/threads/forwarded-requests.ts";
import { Forwarder } from "#server/platform/threads/request-forwarder.ts";
import { Outbox } from "#server/platform/threads/outbox.ts";
import type { ToMain, ToThread } from "#server/platform/threads/messages.ts";
import { eventually } from "#test/support/eventually.ts";

/** Both ends in this thread, with an endless response. */
function endless() {
  let cancelled = 0;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const toThread = new Outbox<ToThread>({
    postMessage(messages) {
      for (const message of messages) {
        if (message.kind === "drain" || message.kind === "stop") continue;
        if (message.kind !== "created") forwarder.receive(message);
      }
    },
  });
  const requests = new ForwardedRequests({
    async answer(request) {
      if (request.url.endsWith("/late")) await held;
      const body = new ReadableStream(
        {
          pull: (controller) => controller.enqueue(new TextEncoder().encode("piece")),
          cancel: () => void (cancelled += 1),
        },
        { highWaterMark: 0 },
      );
      const response = new Response(body);
      streamedResponses.add(response);
      return response;
    },
    knownOf: () => undefined,
    outbox: toThread,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const forwarder = new Forwarder(
    new Outbox<ToMain>({
      postMessage(messages) {
        for (const message of messages) {
          if (message.kind === "request") requests.receive(message);
          else if ("id" in message && message.kind !== "creation") requests.receive(message);
        }
      },
    }),
  );
  const ask = (path: string, signal: AbortSignal): Promise<{ response: Response }> =>
    forwarder.forward(new Request(`http://platform.test${path}`, { signal }), {
      address: "127.0.0.1",
    });
  return { ask, requests, release, cancelled: () => cancelled };
}

test("both threads cancel a response whose caller disconnects", async () => {
  const { ask, requests, cancelled } = endless();
  const caller = new AbortController();
  const { response } = await ask("/stream", caller.signal);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("piece");
  expect(requests.open).toBe(1);
  caller.abort();
  await eventually(() => expect([requests.open, cancelled()]).toEqual([0, 1]));
});

test("a response after its caller has disconnected is cancelled at once", async () => {
  const { ask, requests, release, cancelled } = endless();
  const caller = new AbortController();
  const answering = ask("/late", caller.signal);
  await eventually(() => expect(requests.open).toBe(1));
  caller.abort();
  release();
  await eventually(() => expect([requests.open, cancelled()]).toEqual([0, 1]));
  expect(await (await answering).response.text()).toBe("");
});
