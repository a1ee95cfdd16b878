import { expect } from "vitest";
import { cloudEvent, type CloudEvent } from "#contract/platform/realtime.ts";

export interface OpenStream {
  /** The next change; bookmarks are left out. */
  next(): Promise<CloudEvent>;
  /** The next event, or undefined at the end of the stream. */
  any(): Promise<CloudEvent | undefined>;
  cancel(): Promise<void>;
}

/** Reads the server-sent events of a response; the id of each is its cursor. */
export function reading(response: Response): OpenStream {
  expect(response.status).toBe(200);
  const body = response.body;
  if (body === null) throw new Error("the stream has no body");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const any = async (): Promise<CloudEvent | undefined> => {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        buffer += value;
        continue;
      }
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined || data === "[DONE]") continue;
      const event = cloudEvent.parse(JSON.parse(data));
      expect(/^id: (.*)$/m.exec(block)?.[1]).toBe(event.svccursor);
      return event;
    }
  };
  return {
    any,
    async next() {
      for (;;) {
        const event = await any();
        if (event === undefined) throw new Error("the stream has ended");
        if (event.type !== "svc.feed.bookmark") return event;
      }
    },
    cancel: () => reader.cancel(),
  };
}
