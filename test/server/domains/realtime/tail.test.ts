import { expect, onTestFinished, test } from "vitest";
import {
  compileFilter,
  Feed,
  type FeedPosition,
  type PlacedEvent,
} from "#server/domains/feed/service.ts";
import { EventQueue, type QueuedEvent } from "#server/domains/realtime/event-queue.ts";
import { Tail, type TailReader } from "#server/domains/realtime/tail.ts";
import { Secrets } from "#server/domains/secrets/service.ts";
import { JsonText } from "#server/kit/lists/json-text.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import type { Work } from "#server/work/work.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import { testWorks } from "#test/support/work.ts";

const logger = { info: () => {}, warn: () => {}, error: () => {} };
const workspaceId = "one";

/** A feed whose first position arrives late, and whose reads can fail. */
class TroubledFeed extends Feed {
  readonly gate = Promise.withResolvers<void>();
  failures = 0;
  /** A change of another platform is known some time after its commit. */
  isLate = false;
  #asked = 0;

  override async position(work: Work, id: string): Promise<FeedPosition> {
    this.#asked += 1;
    if (this.#asked > 1) await this.gate.promise;
    return super.position(work, id);
  }

  override wake(id: string, listener: () => void): () => void {
    return super.wake(id, () => {
      if (!this.isLate) listener();
    });
  }

  override async read(...given: Parameters<Feed["read"]>): ReturnType<Feed["read"]> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("the database is away");
    }
    return super.read(...given);
  }
}

function reader(): TailReader & { readonly subjects: string[] } {
  const subjects: string[] = [];
  const filter = compileFilter({}, []);
  return {
    filter,
    subjects,
    take: (event: PlacedEvent) => subjects.push(event.subject),
    reset() {},
    unsentEvents: 0,
    drop() {},
  };
}

function queuedText(id: string, text: string): QueuedEvent {
  return { id, text, data: new JsonText(text), isShared: true, event: undefined };
}

describeOnEachDatabase("the tail of a workspace", (open) => {
  async function tailOf() {
    const { feed: changes, work } = testWorks(await open());
    const lifetime = new LifetimeOwner(logger);
    onTestFinished(() => lifetime.close());
    await changes.begin({ work, logger, lifetime, limits: defaultLimits });
    const feed = new TroubledFeed({
      feed: changes,
      work,
      logger,
      lifetime,
      secrets: new Secrets(new Uint8Array(32)),
      objectTypes: { find: () => undefined },
    });
    const tail = new Tail({ feed, work, logger, workspaceId });
    onTestFinished(() => tail.end());
    const change = (subject: string) =>
      work.write(async (tx) => tx.event("record", subject, workspaceId, { op: "created" }));
    return { tail, feed, change };
  }

  test("has each change for readers that join at once", async () => {
    const { tail, feed, change } = await tailOf();
    const [one, other] = [reader(), reader()];
    const first = tail.add(one);
    const second = tail.add(other);
    await first;
    feed.isLate = true;
    await change("a");
    feed.gate.resolve();
    await second;
    feed.isLate = false;
    await change("b");
    await eventually(() => expect(one.subjects).toEqual(["a", "b"]));
  });

  test("reads again after a failed read, without another change", async () => {
    const { tail, feed, change } = await tailOf();
    const one = reader();
    await tail.add(one);
    feed.failures = 1;
    await change("a");
    await eventually(() => expect(feed.failures).toBe(0));
    await eventually(() => {
      tail.retry();
      expect(one.subjects).toEqual(["a"]);
    });
  });

  test("ends the slowest reader once all together have not read 4 MiB", async () => {
    const { tail, change } = await tailOf();
    const dropped: number[] = [];
    for (const count of [1, 5, 3, 2, 4]) {
      const queue = new EventQueue(tail.unsent);
      const text = "-".repeat((900 * 1024) / count);
      for (let at = 0; at < count; at += 1) queue.add(queuedText(`${at}`, text));
      const drop = (): void => {
        dropped.push(count);
        queue.drop();
      };
      await tail.add({ ...reader(), unsentEvents: count, drop });
    }
    expect(dropped).toEqual([]);
    await change("a");
    await eventually(() => expect(dropped).toEqual([5]));
  });
});
