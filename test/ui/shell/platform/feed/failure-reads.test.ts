import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "#client/index.ts";
import { catalogError } from "#contract/errors.ts";
import { Store } from "#ui/kit/state/store.ts";
import { Notices } from "#ui/shell/notices.ts";
import type { ChangeEvent, FeedState } from "#ui/shell/platform/feed/changes.ts";
import {
  FailureWatch,
  readEach,
  type FailureRule,
  type StandingFailure,
} from "#ui/shell/platform/feed/failure-watch.ts";
import { PlaceFailures } from "#ui/shell/platform/feed/place-failures.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const client = createClient({ baseUrl: "http://platform.test" });
const baseUrl = "http://platform.test";
const admin = "tenant-admin";
const missing = catalogError("E203", { details: "no such route" }, { status: 404 });
const refused = catalogError("E204", {}, { status: 403 });
const broken = catalogError("E203", { details: "busy" }, { status: 503 });
const isGeo = ({ kind }: { readonly kind: string | undefined }) => kind === "geo" || undefined;

const nouns = ["alert", "setting", "document.job"];

/** A watch of one workspace, whose reads are recorded as `<rule> <workspace>`. */
function watchOf(answer: (rule: string) => Promise<readonly StandingFailure[]>) {
  const reads: string[] = [];
  const signals: AbortSignal[] = [];
  const ruleOf = (name: string, more: Partial<FailureRule>): FailureRule => ({
    name,
    place: "webhooks",
    read: (_, { tenantId, signal }) => {
      reads.push(`${name} ${tenantId}`);
      signals.push(signal);
      return answer(name);
    },
    ...more,
  });
  const rules = [
    ruleOf("own", { nouns, judge: isGeo, mayEnd: ({ type }) => type === "svc.setting.updated" }),
    ruleOf("timed", { isForAll: true, isTimed: true, place: "operations" }),
    {
      name: "told",
      place: "archives",
      nouns,
      isForAdmins: true,
      judge: (change) =>
        isGeo(change) && change.jobEnd !== "done" ? "An import has failed" : undefined,
    } satisfies FailureRule,
  ];
  const watchers = new Set<(event: ChangeEvent) => void>();
  const feed = new Store<FeedState>("opening");
  const state = new Store({ session: { baseUrl }, tenantId: "one", client });
  const role = new Store<string | undefined>(undefined);
  const failures = new PlaceFailures();
  const notices = new Notices();
  const changes = {
    state: feed,
    watch: (watcher: (event: ChangeEvent) => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const watch = new FailureWatch({ platform: { state, changes }, failures, notices, role, rules });
  const end = watch.start();
  const event = (type: string, data: object = {}) => {
    for (const watcher of watchers) {
      watcher({ specversion: "1.0", id: "e", source: "s", type, data });
    }
  };
  /** The reads since the last call, after this time. */
  const readsIn = async (ms: number): Promise<readonly string[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    return reads.splice(0);
  };
  return { feed, state, role, failures, notices, signals, event, readsIn, end };
}

const nothing = () => Promise.resolve([]);

test("failures are read once the stream and the role are known, by those who may", async () => {
  const { feed, role, readsIn, end } = watchOf(nothing);
  role.set("tenant-viewer");
  expect(await readsIn(5_000)).toEqual([]);
  feed.set("following");
  expect(await readsIn(1_000)).toEqual(["timed one"]);
  role.set(admin);
  expect(await readsIn(1_000)).toEqual(["own one", "timed one"]);
  // A minute without changes has the timed read alone.
  expect(await readsIn(60_000)).toEqual(["timed one"]);
  end();
  expect(await readsIn(120_000)).toEqual([]);
});

test("a role that ends takes the badges with it, and no read of it is sent later", async () => {
  const stands = () => Promise.resolve([{ id: "w", words: "fails" }]);
  const { feed, role, failures, event, readsIn } = watchOf(stands);
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  expect(failures.counts.get()).toEqual({ webhooks: 1, operations: 1 });
  event("svc.alert.updated", { kind: "geo" });
  expect(failures.counts.get()).toMatchObject({ archives: 1 });
  role.set("tenant-viewer");
  expect(failures.counts.get()).toMatchObject({ operations: 1 });
  expect(failures.counts.get()).not.toHaveProperty("webhooks");
  event("svc.alert.updated", { kind: "geo" });
  expect(await readsIn(1_000)).toEqual(["timed one"]);
  expect(failures.counts.get()).toMatchObject({ archives: 1 });
});

test("failures that exist are read again when they may have ended, and others are not", async () => {
  let stands: readonly StandingFailure[] = [];
  const { feed, role, failures, event, readsIn } = watchOf((rule) =>
    Promise.resolve(rule === "own" ? stands : []),
  );
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  event("svc.setting.updated");
  expect(await readsIn(5_000)).toEqual([]);
  stands = [{ id: "w", words: "fails" }];
  event("svc.alert.updated", { kind: "geo" });
  expect(await readsIn(1_000)).toEqual(["own one"]);
  expect(failures.counts.get()).toMatchObject({ webhooks: 1 });
  stands = [];
  event("svc.setting.updated");
  expect(await readsIn(1_000)).toEqual(["own one"]);
  expect(failures.counts.get()).not.toHaveProperty("webhooks");
});

test("a job that succeeds when it is repeated takes its badge with it, not one with errors", async () => {
  const { feed, role, failures, event, readsIn } = watchOf(nothing);
  const ended = (state: string) => ({ kind: "geo", id: "job", after: { state } });
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  event("svc.document.job.completed", ended("failed"));
  expect(failures.counts.get()).toEqual({ archives: 1 });
  event("svc.document.job.updated", ended("running"));
  expect(failures.counts.get()).toEqual({ archives: 1 });
  event("svc.document.job.completed", ended("completed_with_errors"));
  expect(failures.counts.get()).toEqual({ archives: 1 });
  event("svc.document.job.completed", ended("succeeded"));
  expect(failures.counts.get()).toEqual({});
});

test("another workspace is read with its own role, and old answers are dropped", async () => {
  const slow = Promise.withResolvers<readonly StandingFailure[]>();
  const { feed, state, role, failures, signals, readsIn } = watchOf(() => slow.promise);
  role.set(admin);
  feed.set("following");
  expect(await readsIn(1_000)).toEqual(["own one", "timed one"]);
  // The stream and the role follow the workspace a moment later.
  state.set((now) => ({ ...now, tenantId: "two" }));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  feed.set("opening");
  role.set("tenant-viewer");
  feed.set("following");
  slow.resolve([{ id: "w", words: "fails" }]);
  expect(await readsIn(1_000)).toEqual(["timed two"]);
  expect(failures.counts.get()).toEqual({ operations: 1 });
});

test("changes during a read are one read more, after a pause", async () => {
  let answers = Promise.withResolvers<readonly StandingFailure[]>();
  const { feed, role, event, readsIn } = watchOf((rule) =>
    rule === "own" ? answers.promise : nothing(),
  );
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  for (let count = 0; count < 100; count += 1) event("svc.alert.updated", { kind: "geo" });
  expect(await readsIn(10_000)).toEqual([]);
  answers.resolve([]);
  answers = Promise.withResolvers();
  // The read took 10.5 s: it is not repeated for a minute.
  expect(await readsIn(20_000)).toEqual([]);
  expect((await readsIn(100_000)).filter((read) => read === "own one")).toHaveLength(1);
});

test.each([
  ["of another deployment without the route", missing, []],
  ["of a role that may not", refused, []],
  ["that was not answered", broken, ["own one"]],
])("a read %s is repeated in a minute only if that may help", async (_, error, again) => {
  const { feed, role, readsIn } = watchOf((rule) =>
    rule === "own" ? Promise.reject(error) : nothing(),
  );
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  const own = (await readsIn(60_000)).filter((read) => read === "own one");
  expect(own).toEqual(again);
});

test("a platform that was away or has no stream is read again", async () => {
  const { feed, role, event, readsIn } = watchOf(nothing);
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  feed.set("opening");
  feed.set("following");
  expect(await readsIn(1_000)).toEqual(["own one", "timed one"]);
  event("svc.feed.reset");
  expect(await readsIn(1_000)).toEqual(["own one", "timed one"]);
  feed.set("polling");
  await readsIn(1_000);
  expect(await readsIn(60_000)).toEqual(["own one", "timed one"]);
});

test("hundreds of failures are counted up to a limit, and leave the log its other lines", async () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ id: `w${at}`, words: `${at} fails` }));
  const { feed, role, failures, notices, readsIn } = watchOf((rule) =>
    rule === "own" ? Promise.resolve(many) : nothing(),
  );
  role.set(admin);
  feed.set("following");
  await readsIn(1_000);
  expect(failures.counts.get()).toEqual({ webhooks: 100 });
  expect(notices.log.get().map(({ words }) => words)).toEqual([
    "own: 90 more failures",
    ...Array.from({ length: 10 }, (_, at) => `${9 - at} fails`),
  ]);
});

test("many items are read a few at a time, in their order", async () => {
  let [now, most] = [0, 0];
  const found = await readEach(
    Array.from({ length: 12 }, (_, at) => at),
    async (item) => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return item % 2 === 0 ? [item] : [];
    },
  );
  expect(found).toEqual([0, 2, 4, 6, 8, 10]);
  expect(most).toBe(5);
});
