import { expect, test } from "vitest";
import { EventQueue } from "#server/domains/realtime/event-queue.ts";

const event = (id: string, text = "{}") => ({ id, text, event: undefined });

test("gives events in order, and waits for the next one", async () => {
  const queue = new EventQueue();
  queue.add(event("a"));
  queue.add(event("b"));
  expect((await queue.take())?.map(({ id }) => id)).toEqual(["a", "b"]);
  const later = queue.take();
  queue.add(event("c"));
  expect((await later)?.map(({ id }) => id)).toEqual(["c"]);
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
    expect((await queue.take())?.at(-1)?.id).toBe(String(count - 1));
    expect(await queue.take()).toBeUndefined();
  },
);

test("has nothing left after a right has ended", async () => {
  const queue = new EventQueue();
  queue.add(event("a"));
  queue.clear();
  expect(await queue.take()).toBeUndefined();
});
