import { expect, test } from "vitest";
import { repliesEvents } from "#contract/route.ts";
import { OpenStreams } from "#server/http/rates/open-streams.ts";
import { getNote, note, problemOf, running } from "../one-route.ts";

test("each caller's streams are limited", () => {
  const streams = new OpenStreams(2);
  const close = streams.take("ada");
  streams.take("ada");
  expect(() => streams.take("ada")).toThrow("you have 2 open streams");
  streams.take("grace");
  close();
  streams.take("ada");
  expect(() => streams.take("ada")).toThrow("you have 2 open streams");
});

test("a stream counts until its reader leaves; a refused one does not count", async () => {
  async function* endless() {
    for (;;) {
      yield { data: { text: "again" } };
      await Bun.sleep(5);
    }
  }
  let isRefusing = true;
  const platform = running(
    { ...getNote, reply: repliesEvents(note) },
    () => {
      if (isRefusing) throw new Error("no");
      return { events: endless() };
    },
    { streamsPerCaller: 1 },
  );
  expect((await platform.send()).status).toBe(500);
  isRefusing = false;
  const first = await platform.send();
  expect(first.status).toBe(200);
  const second = await platform.send();
  expect(second.headers.get("retry-after")).toBe("5");
  expect(await problemOf(second)).toMatchObject({ status: 429, code: "rate-limited" });
  await first.body?.cancel();
  const third = await platform.send();
  expect(third.status).toBe(200);
  await third.body?.cancel();
});
