import { expect, test } from "vitest";
import { BodyPair } from "#server/platform/threads/body-chunks.ts";

/** Two threads, whose messages arrive at once. */
function threads() {
  const over: string[] = [];
  const ends: { sender?: BodyPair; receiver?: BodyPair } = {};
  const sender = new BodyPair(
    1,
    (message) => ends.receiver?.receive(message),
    () => over.push("sender"),
  );
  const receiver = new BodyPair(
    1,
    (message) => ends.sender?.receive(message),
    () => over.push("receiver"),
  );
  Object.assign(ends, { sender, receiver });
  return { sender, receiver, over };
}

const streamOf = (...texts: string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

test("a body crosses in chunks as it is read", async () => {
  const { sender, receiver, over } = threads();
  const received = receiver.accept();
  sender.send(streamOf("pla", "ns"), true);
  expect([sender.isSending, receiver.isReceiving]).toEqual([true, true]);
  expect(await new Response(received).text()).toBe("plans");
  expect([sender.isSending, receiver.isReceiving]).toEqual([false, false]);
  expect(over.toSorted()).toEqual(["receiver", "sender"]);
});

test("a body that breaks is an error for its reader, not a shorter body", async () => {
  const { sender, receiver } = threads();
  const received = receiver.accept();
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      controller.error(new Error("disk"));
    },
  });
  sender.send(broken, false);
  await expect(new Response(received).text()).rejects.toThrow("the body broke off");
});

test("a reader that leaves cancels the source", async () => {
  const { sender, receiver } = threads();
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel() {
      isCancelled = true;
    },
  });
  const reader = receiver.accept().getReader();
  sender.send(endless, false);
  await reader.read();
  await reader.cancel();
  expect([isCancelled, sender.isSending]).toEqual([true, false]);
});
