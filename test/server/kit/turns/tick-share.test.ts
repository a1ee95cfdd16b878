import { expect, test } from "vitest";
import type { Stepwise } from "#lib/time/stepwise.ts";
import { noteRequest, TickShare } from "#server/kit/turns/tick-share.ts";

test("a tick has one part of long work, and shares go on in turn", async () => {
  const began: string[] = [];
  const begin = async (share: string, name: string): Promise<void> => {
    await new TickShare(share).begin();
    began.push(name);
  };
  const loud = ["a1", "a2", "a3", "a4"].map((name) => begin("a", name));
  const quiet = begin("b", "b1");
  await quiet;
  expect(began).toEqual(["a1", "b1"]);
  await Promise.all(loud);
  expect(began).toEqual(["a1", "b1", "a2", "a3", "a4"]);
});

test("a share rests after a long part only while another one has requests", async () => {
  // Requests of other tests have been forgotten then.
  await Bun.sleep(60);
  noteRequest("loud");
  expect(await ticksBetweenParts("loud", () => {})).toBeLessThan(10);
  expect(await ticksBetweenParts("loud", () => noteRequest("quiet"))).toBeGreaterThan(10);
});

test("work in parts gives its result, and others have ticks between its parts", async () => {
  function* work(): Stepwise<string> {
    for (let part = 0; part < 10; part += 1) {
      Bun.sleepSync(2);
      yield undefined;
    }
    return "result";
  }
  let ticks = 0;
  let isOver = false;
  const count = (): void => {
    ticks += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await new TickShare("work").run(work())).toBe("result");
  isOver = true;
  expect(ticks).toBeGreaterThanOrEqual(10);
});

/** The ticks that others have between the end of a part and the begin of the next one. */
async function ticksBetweenParts(share: string, during: () => void): Promise<number> {
  const work = new TickShare(share);
  await work.begin();
  const endsAt = performance.now() + 5;
  while (performance.now() < endsAt) during();
  let ticks = 0;
  let isOver = false;
  const count = (): void => {
    ticks += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.begin();
  isOver = true;
  return ticks;
}
