import { expect, test } from "vitest";
import { OverloadedError } from "#server/kit/storage-errors.ts";
import { Permits } from "#server/kit/turns/permits.ts";

function twoPermits(): Permits {
  return new Permits({ count: 2, countPerShare: 1, queueLimit: 10, waitLimitMs: 10_000 });
}

/** Takes a permit and notes its name; returns what releases it. */
async function noting(
  permits: Permits,
  began: string[],
  share: string,
  name: string,
): Promise<() => void> {
  const end = await permits.take(share, undefined);
  began.push(name);
  return end;
}

test("shares are served in turn, each in its own order", async () => {
  const permits = twoPermits();
  const began: string[] = [];
  const first = await noting(permits, began, "a", "a1");
  const other = await noting(permits, began, "b", "b1");
  const later = ["a a2", "a a3", "b b2", "c c1", "d d1"].map((words) => {
    const [share = "", name = ""] = words.split(" ");
    return noting(permits, began, share, name).then((end) => end());
  });
  first();
  await Promise.all([later[0], later[1], later[3], later[4]]);
  expect(began).toEqual(["a1", "b1", "a2", "c1", "d1", "a3"]);
  other();
  await later[2];
  expect(began.at(-1)).toBe("b2");
});

test("a permit that is released twice counts once", async () => {
  const permits = twoPermits();
  const end = await permits.take("a", undefined);
  await permits.take("b", undefined);
  end();
  end();
  const next = await permits.take("c", undefined);
  const began: string[] = [];
  const last = noting(permits, began, "d", "d1");
  await Bun.sleep(1);
  expect(began).toEqual([]);
  next();
  (await last)();
  expect(began).toEqual(["d1"]);
});

test("while permits are paused none is granted, and then as many as there are", async () => {
  const permits = twoPermits();
  const began: string[] = [];
  const end = await noting(permits, began, "a", "a1");
  const pausing = permits.pause(60_000);
  const later = ["b", "c", "d"].map((share) => noting(permits, began, share, `${share}1`));
  expect(await permits.pause(60_000)).toBeUndefined();
  end();
  const resume = await pausing;
  await Bun.sleep(1);
  expect(began).toEqual(["a1"]);
  resume?.();
  const ends = await Promise.all(later.slice(0, 2));
  expect(began).toEqual(["a1", "b1", "c1"]);
  // The first pause cannot resume the second.
  const other = permits.pause(60_000);
  resume?.();
  for (const endOne of ends) endOne();
  const resumeOther = await other;
  expect(began).toEqual(["a1", "b1", "c1"]);
  resumeOther?.();
  (await later[2])?.();
  expect(began.at(-1)).toBe("d1");
});

test("a pause that waits for too long ends, and permits are granted again", async () => {
  const permits = twoPermits();
  const began: string[] = [];
  const end = await noting(permits, began, "a", "a1");
  const pausing = permits.pause(5);
  const next = noting(permits, began, "b", "b1");
  expect(await pausing).toBeUndefined();
  (await next)();
  expect(began).toEqual(["a1", "b1"]);
  end();
  (await permits.pause(5))?.();
});

test("a caller that waits too long, or one too many of a share, is refused; one that leaves frees its place", async () => {
  const permits = new Permits({
    count: 1,
    queueLimit: 2,
    queueLimitPerShare: 1,
    waitLimitMs: 20,
  });
  const end = await permits.take("a", undefined);
  const waiting = permits.take("a", undefined);
  await expect(permits.take("a", undefined)).rejects.toThrow(OverloadedError);
  await expect(waiting).rejects.toThrow("within 20 ms");
  const controller = new AbortController();
  const leaving = permits.take("a", controller.signal);
  controller.abort();
  await expect(leaving).rejects.toMatchObject({ reason: "aborted" });
  await expect(permits.take("b", AbortSignal.abort())).rejects.toMatchObject({ reason: "aborted" });
  const next = permits.take("b", undefined);
  end();
  (await next)();
});

test("callers of one share are served in turn, and each may wait a few times only", async () => {
  const permits = new Permits({
    count: 1,
    queueLimit: 10,
    queueLimitPerCaller: 3,
    waitLimitMs: 10_000,
  });
  const began: string[] = [];
  const end = await permits.take("a", undefined, "loud");
  const wait = (caller: string, name: string): Promise<void> =>
    permits
      .take("a", undefined, caller)
      .then((release) => {
        began.push(name);
        return release;
      })
      .then((release) => release());
  const waits = [wait("loud", "l1"), wait("loud", "l2"), wait("loud", "l3"), wait("quiet", "q1")];
  await expect(wait("loud", "l4")).rejects.toThrow(OverloadedError);
  end();
  await Promise.all(waits);
  expect(began).toEqual(["l1", "q1", "l2", "l3"]);
});
