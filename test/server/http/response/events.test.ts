import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { eventStream } from "#server/http/response/events.ts";

const never = new AbortController().signal;
const patient = { signal: never, pingIntervalMs: 60_000, onFailure: () => {}, onEnd: () => {} };

async function* values<Value>(...all: readonly Value[]) {
  for (const value of all) yield value;
}

function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

describe("a stream of events", () => {
  test("opens with a comment, numbers its events, and ends with [DONE]", async () => {
    const events = values({ data: { n: 1 } }, { data: { n: 2 } });
    expect(await read(eventStream({ events }, patient))).toBe(
      ': open\n\nid: 1\ndata: {"n":1}\n\nid: 2\ndata: {"n":2}\n\ndata: [DONE]\n\n',
    );
  });

  test("is readable for another parser", async () => {
    const text = 'line one\nline two\r\u2028"quoted"';
    const events = values({ id: "a-7", data: { text } });
    const seen: { id: string | undefined; data: string }[] = [];
    const parser = createParser({ onEvent: ({ id, data }) => seen.push({ id, data }) });
    parser.feed(await read(eventStream({ events }, patient)));
    expect(seen).toEqual([
      { id: "a-7", data: JSON.stringify({ text }) },
      { id: undefined, data: "[DONE]" },
    ]);
  });

  test("removes line breaks from an id", async () => {
    const events = values({ id: "1\ndata: forged\r\n\0", data: 1 });
    expect(await read(eventStream({ events }, patient))).toBe(
      ": open\n\nid: 1data: forged\ndata: 1\n\ndata: [DONE]\n\n",
    );
  });

  test("sends its head before the first event", async () => {
    const first = Promise.withResolvers<void>();
    async function* late() {
      await first.promise;
      yield { data: 1 };
    }
    const reader = eventStream({ events: late() }, patient).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(": open\n\n");
    first.resolve();
    await reader.cancel();
  });

  test("pings while idle", async () => {
    const end = Promise.withResolvers<void>();
    async function* quiet() {
      await end.promise;
      yield { data: "late" };
    }
    const reader = eventStream({ events: quiet() }, { ...patient, pingIntervalMs: 5 }).getReader();
    const decoder = new TextDecoder();
    const text = async () => decoder.decode((await reader.read()).value);
    expect(await text()).toBe(": open\n\n");
    expect(await text()).toBe(": ping\n\n");
    expect(await text()).toBe(": ping\n\n");
    end.resolve();
    await reader.cancel();
  });

  test("releases its source when the reader leaves", async () => {
    const released = Promise.withResolvers<void>();
    async function* source() {
      try {
        for (let n = 0; ; n += 1) yield { data: n };
      } finally {
        released.resolve();
      }
    }
    const reader = eventStream({ events: source() }, patient).getReader();
    await reader.read();
    await reader.cancel();
    await released.promise;
  });

  test("takes no event before the reader has room", async () => {
    let made = 0;
    async function* source() {
      for (;;) {
        made += 1;
        yield { data: made };
      }
    }
    const reader = eventStream({ events: source() }, patient).getReader();
    await reader.read();
    await Bun.sleep(20);
    expect(made).toBeLessThan(20);
    await reader.cancel();
  });

  test("that fails has no [DONE], and its failure is reported", async () => {
    async function* failing() {
      yield { data: 1 };
      throw new Error("the model went away");
    }
    const failures: unknown[] = [];
    const options = { ...patient, onFailure: (error: unknown) => void failures.push(error) };
    const text = await read(eventStream({ events: failing() }, options));
    expect(text).toBe(": open\n\nid: 1\ndata: 1\n\n");
    expect(failures).toEqual([new Error("the model went away")]);
  });

  test.each(["by itself", "by its reader", "by its signal"])(
    "reports its end once when it ended %s",
    async (how) => {
      let ends = 0;
      const over = new AbortController();
      const options = { ...patient, signal: over.signal, onEnd: () => void (ends += 1) };
      const reader = eventStream({ events: values({ data: 1 }) }, options).getReader();
      await reader.read();
      if (how === "by its reader") await reader.cancel();
      if (how === "by its signal") over.abort();
      while (!(await reader.read()).done);
      expect(ends).toBe(1);
    },
  );

  test("ends at its signal, even before its start", async () => {
    const over = AbortSignal.abort();
    const text = await read(
      eventStream({ events: values({ data: 1 }) }, { ...patient, signal: over }),
    );
    expect(text).toBe(": open\n\n");
  });
});
