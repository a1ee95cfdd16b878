import { expect, test } from "vitest";
import { Outbox } from "#server/platform/threads/outbox.ts";

test("the messages of a tick are sent together, with what they transfer", async () => {
  const sent: unknown[] = [];
  const port = {
    postMessage: (messages: readonly string[], transferred: readonly unknown[]) =>
      sent.push([messages, transferred]),
  };
  const outbox = new Outbox<string>(port as never);
  const buffer = new ArrayBuffer(1);
  outbox.post("a");
  outbox.post("b", buffer);
  expect(sent).toEqual([]);
  await new Promise(setImmediate);
  outbox.post("c");
  await new Promise(setImmediate);
  expect(sent).toEqual([
    [["a", "b"], [buffer]],
    [["c"], []],
  ]);
});
