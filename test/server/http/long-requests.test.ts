import { expect, test } from "vitest";
import { bytes, repliesEvents, type RouteDefinition } from "#contract/route.ts";
import type { Context } from "#server/http/handler.ts";
import type { HandlerCall } from "#server/http/routing/endpoint.ts";
import { getNote, note, running } from "./one-route.ts";

/** The calls to a connection's peer during one request. */
async function peerCalls(
  definition: RouteDefinition,
  handler: (call: HandlerCall, context: Context) => unknown,
  headers: Record<string, string> = {},
): Promise<{ response: Response; calls: string[] }> {
  const calls: string[] = [];
  const { pipeline } = running(definition, handler);
  const request = new Request("http://platform.test/v4/notes", {
    method: definition.method,
    headers,
    ...(definition.body === undefined ? {} : { body: "bytes" }),
  });
  const response = await pipeline.fetch(request, {
    address: "127.0.0.1",
    expectSilence: () => calls.push("silence"),
    expectTraffic: () => calls.push("traffic"),
  });
  return { response, calls };
}

test("an immediate response or refusal does not change the idle timeout", async () => {
  expect((await peerCalls(getNote, () => ({ text: "a" }))).calls).toEqual([]);
  const refused = await peerCalls(getNote, () => ({}), { accept: "text/event-stream" });
  expect(refused.response.status).toBe(406);
  expect(refused.calls).toEqual([]);
});

test.each([
  ["uses its signal", (context: Context) => context.signal],
  ["calls mayTakeLong", (context: Context) => context.mayTakeLong()],
])("the idle timeout is suspended until the response of a handler that %s", async (_what, ask) => {
  const { calls } = await peerCalls(getNote, (_call, context) => {
    ask(context);
    return { text: "a" };
  });
  expect(calls).toEqual(["silence", "traffic"]);
});

test("the idle timeout is suspended until the end of a stream", async () => {
  async function* events() {
    yield { data: { text: "a" } };
  }
  const definition = { ...getNote, reply: repliesEvents(note) };
  const { response, calls } = await peerCalls(definition, () => ({ events: events() }));
  expect(calls).toEqual(["silence"]);
  await response.text();
  expect(calls).toEqual(["silence", "traffic"]);
});

test("an upload keeps its idle timeout", async () => {
  const definition = { ...getNote, method: "POST", body: bytes } as const;
  const { calls } = await peerCalls(definition, (_call, context) => {
    void context.signal;
    context.mayTakeLong();
    return {};
  });
  expect(calls).toEqual([]);
});
