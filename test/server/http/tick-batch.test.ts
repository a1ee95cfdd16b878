import { expect, test } from "vitest";
import { getNote, running } from "./one-route.ts";

test("requests of one tick are first all handled, then all answered", async () => {
  const order: string[] = [];
  const { pipeline } = running(getNote, (_call, { requestId }) => {
    order.push(`handled ${requestId}`);
    return { text: requestId };
  });
  const ask = async (name: string): Promise<void> => {
    const headers = { "x-request-id": name };
    const answer = pipeline.fetch(new Request("http://platform.test/v4/notes", { headers }));
    order.push(`read ${name}`);
    await answer;
    order.push(`answered ${name}`);
  };
  await Promise.all(["a", "b", "c"].map(ask));
  const each = (step: string): string[] => ["a", "b", "c"].map((name) => `${step} ${name}`);
  expect(order).toEqual([...each("read"), ...each("handled"), ...each("answered")]);
});

test("a request of the next tick does not wait for the previous tick", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { send } = running(getNote, async (_call, { requestId }) => {
    if (requestId === "slow") await released;
    return { text: requestId };
  });
  const slow = send("GET", { "x-request-id": "slow" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(await (await send("GET", { "x-request-id": "quick" })).json()).toEqual({ text: "quick" });
  release();
  expect(await (await slow).json()).toEqual({ text: "slow" });
});
