import { expect, test } from "vitest";
import { repliesEvents } from "#contract/route.ts";
import { OpenStreams } from "#server/http/rates/open-streams.ts";
import { getNote, note, problemOf, running } from "../one-route.ts";

const limits = { streamsPerCaller: 2, streamsPerWorkspace: 3, streams: 4 };

test("each caller's streams are limited", () => {
  const streams = new OpenStreams(limits);
  const close = streams.take("ada", "one");
  streams.take("ada", "two");
  expect(() => streams.take("ada", "three")).toThrow("you have 2 open streams");
  streams.take("grace", "one");
  close();
  streams.take("ada", "three");
  expect(() => streams.take("ada", "one")).toThrow("you have 2 open streams");
});

test("those of a workspace and of the platform are limited too", () => {
  const streams = new OpenStreams(limits);
  const close = streams.take("ada", "one");
  for (const caller of ["grace", "edsger"]) streams.take(caller, "one");
  expect(() => streams.take("alan", "one")).toThrow("this workspace has 3 open streams");
  streams.take("alan", "");
  expect(() => streams.take("alan", "two")).toThrow(
    expect.objectContaining({ code: "overloaded" }),
  );
  close();
  streams.take("alan", "two");
  expect(streams.count).toBe(4);
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
