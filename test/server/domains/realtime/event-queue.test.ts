import { expect, test } from "vitest";
import {
  EventQueue,
  UnsentEvents,
  type QueuedEvent,
} from "#server/domains/realtime/event-queue.ts";
import { JsonText } from "#server/kit/lists/json-text.ts";

const event = (id: string, text = "{}"): QueuedEvent => ({
  id,
  text,
  data: new JsonText(text),
  isShared: true,
  event: undefined,
});

test("gives events in order, and waits for the next one", async () => {
  const queue = new EventQueue();
  queue.add(event("a"));
  queue.add(event("b"));
  expect([(await queue.take())?.id, (await queue.take())?.id]).toEqual(["a", "b"]);
  const later = queue.take();
  queue.add(event("c"));
  expect((await later)?.id).toBe("c");
});

test.each([
  ["1,000 events", 1_000, "{}"],
  ["1 MiB", 4, " ".repeat(256 * 1024)],
])(
  "ends after %s that were not taken, whose last cursor continues",
  async (_limit, count, text) => {
    const queue = new EventQueue();
    for (let at = 0; at < count; at += 1) expect(queue.add(event(String(at), text))).toBe(true);
    expect(queue.add(event("later", text))).toBe(false);
    expect(queue.add(event("last", "{}"))).toBe(false);
    let last = "";
    for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
      last = taken.id;
    }
    expect(last).toBe(String(count - 1));
  },
);

test("has nothing left after a right has ended", async () => {
  const queue = new EventQueue();
  queue.add(event("a"));
  queue.clear();
  expect(await queue.take()).toBeUndefined();
});

test("counts a text once that several streams have not sent", async () => {
  const unsent = new UnsentEvents();
  const queues = [new EventQueue(unsent), new EventQueue(unsent)];
  const shared = event("a", "four");
  for (const queue of queues) queue.add(shared);
  expect(unsent.characters).toBe(4);
  await queues[0]?.take();
  expect(unsent.characters).toBe(4);
  queues[1]?.drop();
  expect(unsent.characters).toBe(0);
  expect(await queues[1]?.take()).toBeUndefined();
});
