import { expect, test } from "vitest";
import { TickShare } from "#server/kit/turns/tick-share.ts";

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
