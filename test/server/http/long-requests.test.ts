import { expect, test } from "vitest";
import { bytes, repliesEvents, type RouteDefinition } from "#contract/route.ts";
import type { Context } from "#server/http/handler.ts";
import type { HandlerCall } from "#server/http/routing/endpoint.ts";
import { getNote, note, running } from "./one-route.ts";

/** What a connection was told while one request was answered on it. */
async function told(
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

test("nothing is changed for what is answered at once, or refused", async () => {
  expect((await told(getNote, () => ({ text: "a" }))).calls).toEqual([]);
  const refused = await told(getNote, () => ({}), { accept: "text/event-stream" });
  expect(refused.response.status).toBe(406);
  expect(refused.calls).toEqual([]);
});

test.each([
  ["listens whether it shall stop", (context: Context) => context.signal],
  ["says that it takes long", (context: Context) => context.mayTakeLong()],
])("silence is borne until the answer of a handler that %s", async (_what, ask) => {
  const { calls } = await told(getNote, (_call, context) => {
    ask(context);
    return { text: "a" };
  });
  expect(calls).toEqual(["silence", "traffic"]);
});

test("silence is borne until a stream is over", async () => {
  async function* events() {
    yield { data: { text: "a" } };
  }
  const definition = { ...getNote, reply: repliesEvents(note) };
  const { response, calls } = await told(definition, () => ({ events: events() }));
  expect(calls).toEqual(["silence"]);
  await response.text();
  expect(calls).toEqual(["silence", "traffic"]);
});

test("who uploads is held to it all the time", async () => {
  const definition = { ...getNote, method: "POST", body: bytes } as const;
  const { calls } = await told(definition, (_call, context) => {
    void context.signal;
    context.mayTakeLong();
    return {};
  });
  expect(calls).toEqual([]);
});
