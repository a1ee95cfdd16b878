import { expect, test, vi } from "vitest";
import { Lane } from "#server/domains/webhooks/lanes/lane.ts";

const logger = { error: vi.fn<() => void>() };

test("changes of one pause become one look, those during a look the next one", async () => {
  const looks: string[][] = [];
  const first = Promise.withResolvers<void>();
  const lane = new Lane({
    logger,
    look: async (changed) => {
      looks.push([...changed]);
      await first.promise;
    },
  });
  lane.note("a");
  lane.note("b");
  const looking = lane.look();
  lane.note("c");
  const again = lane.look();
  first.resolve();
  await Promise.all([looking, again]);
  expect(looks).toEqual([["a", "b"], ["c"]]);
});

test("a lane waits for no look of another one, and a stopped one begins none", async () => {
  const hanging = Promise.withResolvers<void>();
  const slow = new Lane({ logger, look: () => hanging.promise });
  const looks: number[] = [];
  const fast = new Lane({ logger, look: async ({ size }) => void looks.push(size) });
  const waiting = slow.look();
  fast.note("a");
  await fast.look();
  expect(looks).toEqual([1]);
  fast.stop();
  fast.wake(0);
  await fast.look();
  await fast.ended;
  expect(looks).toEqual([1]);
  hanging.resolve();
  await waiting;
});
