import { expect, test } from "vitest";
import { OverloadedError } from "#server/database/errors.ts";
import { Turns } from "#server/database/scan-permits.ts";

function turns(): Turns {
  return new Turns({ count: 2, countPerShare: 1, queueLimit: 10, waitLimitMs: 10_000 });
}

/** Takes a turn and notes its name when it begins; what is answered ends it. */
async function noting(
  taken: Turns,
  began: string[],
  share: string,
  name: string,
): Promise<() => void> {
  const end = await taken.take(share, undefined);
  began.push(name);
  return end;
}

test("shares take turns, each in its own order", async () => {
  const taken = turns();
  const began: string[] = [];
  const first = await noting(taken, began, "a", "a1");
  const other = await noting(taken, began, "b", "b1");
  const later = ["a a2", "a a3", "b b2", "c c1", "d d1"].map((words) => {
    const [share = "", name = ""] = words.split(" ");
    return noting(taken, began, share, name).then((end) => end());
  });
  first();
  await Promise.all([later[0], later[1], later[3], later[4]]);
  expect(began).toEqual(["a1", "b1", "a2", "c1", "d1", "a3"]);
  other();
  await later[2];
  expect(began.at(-1)).toBe("b2");
});

test("a turn that is ended twice gives one place", async () => {
  const taken = turns();
  const end = await taken.take("a", undefined);
  await taken.take("b", undefined);
  end();
  end();
  const next = await taken.take("c", undefined);
  const began: string[] = [];
  const last = noting(taken, began, "d", "d1");
  await Bun.sleep(1);
  expect(began).toEqual([]);
  next();
  (await last)();
  expect(began).toEqual(["d1"]);
});

test("while they are paused nobody begins, and then as many as may", async () => {
  const taken = turns();
  const began: string[] = [];
  const end = await noting(taken, began, "a", "a1");
  const pausing = taken.pause(60_000);
  const later = ["b", "c", "d"].map((share) => noting(taken, began, share, `${share}1`));
  expect(await taken.pause(60_000)).toBeUndefined();
  end();
  const resume = await pausing;
  await Bun.sleep(1);
  expect(began).toEqual(["a1"]);
  resume?.();
  const ends = await Promise.all(later.slice(0, 2));
  expect(began).toEqual(["a1", "b1", "c1"]);
  // What is over can't end another one.
  const other = taken.pause(60_000);
  resume?.();
  for (const endOne of ends) endOne();
  const resumeOther = await other;
  expect(began).toEqual(["a1", "b1", "c1"]);
  resumeOther?.();
  (await later[2])?.();
  expect(began.at(-1)).toBe("d1");
});

test("who runs for too long is not waited for any longer, and others begin again", async () => {
  const taken = turns();
  const began: string[] = [];
  const end = await noting(taken, began, "a", "a1");
  const pausing = taken.pause(5);
  const next = noting(taken, began, "b", "b1");
  expect(await pausing).toBeUndefined();
  (await next)();
  expect(began).toEqual(["a1", "b1"]);
  end();
  (await taken.pause(5))?.();
});

test("who waits too long, or too many of one share, is refused; who leaves frees the place", async () => {
  const taken = new Turns({ count: 1, countPerShare: 1, queueLimit: 2, waitLimitMs: 20 });
  const end = await taken.take("a", undefined);
  const waiting = taken.take("a", undefined);
  await expect(taken.take("a", undefined)).rejects.toThrow(OverloadedError);
  await expect(waiting).rejects.toThrow("within 20 ms");
  const controller = new AbortController();
  const leaving = taken.take("a", controller.signal);
  controller.abort();
  await expect(leaving).rejects.toMatchObject({ reason: "aborted" });
  await expect(taken.take("b", AbortSignal.abort())).rejects.toMatchObject({ reason: "aborted" });
  const next = taken.take("b", undefined);
  end();
  (await next)();
});
