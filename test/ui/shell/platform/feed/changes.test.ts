import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, type WatchOptions } from "#client/index.ts";
import { catalogError } from "#contract/errors.ts";
import { Changes, rightsNoun } from "#ui/shell/platform/feed/changes.ts";
import { deferred } from "#lib/time/deferred.ts";
import { eventually } from "../../../../support/eventually.ts";

/** The platform has ended a stream, which the client then opens again. */
const ended = "ended";

type Sent = string | Error | undefined;

/** A client whose streams yield the types of events that a test sends. */
class FakeFeed {
  opened = 0;
  #queue: Sent[] = [];
  #wake = deferred<void>();

  readonly send = (...types: Sent[]): void => {
    this.#queue.push(...types);
    this.#wake.resolve();
  };

  readonly client = {
    forTenant: () => ({ watch: (options?: WatchOptions) => this.#events(options) }),
  };

  async *#events({ onBreak }: WatchOptions = {}) {
    this.opened += 1;
    for (;;) {
      while (this.#queue.length > 0) {
        const sent = this.#queue.shift();
        if (sent === undefined) return;
        if (sent === ended) {
          onBreak?.(undefined);
          continue;
        }
        if (sent instanceof Error) throw sent;
        const [type = "", objectType] = sent.split(" ");
        const data = objectType === undefined ? {} : { objectType };
        yield { specversion: "1.0" as const, id: type, source: "/", type, data };
      }
      this.#wake = deferred<void>();
      await this.#wake.promise;
    }
  }
}

function followed(feed: FakeFeed, now?: () => number) {
  const changes = new Changes(() => true, now);
  const refreshed: string[] = [];
  const add = (name: string, objectType?: string) =>
    changes.add({ nouns: [name], objectType }, () => refreshed.push(name));
  changes.follow(feed.client, "t1");
  return { changes, refreshed, add };
}

const bookmark = "svc.feed.bookmark";

afterEach(() => vi.useRealTimers());

it.each([
  ["looks", true, 1_000],
  ["looks elsewhere", false, 5_000],
])(
  "single changes are shown at once while the user %s, and many in turns",
  async (_, is, pauseMs) => {
    vi.useFakeTimers();
    const feed = new FakeFeed();
    const changes = new Changes(() => is);
    let refreshes = 0;
    changes.add({ nouns: ["member"] }, () => (refreshes += 1));
    changes.follow(feed.client, "t1");
    for (let sent = 1; sent <= 4; sent += 1) {
      feed.send("svc.member.updated");
      await vi.advanceTimersByTimeAsync(110);
      expect(refreshes).toBe(sent);
    }
    for (let step = 0; step < 40; step += 1) {
      feed.send("svc.member.updated");
      await vi.advanceTimersByTimeAsync(pauseMs / 10);
    }
    expect(refreshes).toBeGreaterThanOrEqual(7);
    expect(refreshes).toBeLessThanOrEqual(9);
    changes.end();
  },
);

describe("the changes of the open workspace", () => {
  it("refresh what they are about, once for many, and everything when the stream opens", async () => {
    const feed = new FakeFeed();
    const { changes, refreshed, add } = followed(feed);
    add("resource", "licence");
    add("member");
    expect(changes.state.get()).toBe("opening");
    feed.send(bookmark);
    await eventually(() => expect(refreshed.toSorted()).toEqual(["member", "resource"]));
    expect(changes.state.get()).toBe("following");
    refreshed.length = 0;
    feed.send("svc.resource.updated order", "svc.document.job.updated");
    feed.send("svc.resource.updated licence", "svc.resource.created licence");
    await eventually(() => expect(refreshed).toEqual(["resource"]));
    changes.end();
    expect(changes.state.get()).toBe("off");
  });

  it("refresh an answer that missed one while no screen showed it, and no newer answer", async () => {
    let nowMs = 1_000;
    const feed = new FakeFeed();
    const { changes, add } = followed(feed, () => nowMs);
    const { currentUntilMs } = add("alert");
    nowMs = 5_000;
    feed.send("svc.document.restored");
    await eventually(() => expect(currentUntilMs(5_000)).toBe(5_000));
    nowMs = 9_000;
    const refreshed: string[] = [];
    const document = { nouns: ["document"] };
    changes.add(document, () => refreshed.push("newer"), 8_000);
    changes.add(document, () => refreshed.push("unknown"));
    changes.add(document, () => refreshed.push("older"), 4_000);
    await eventually(() => expect(refreshed).toEqual(["older"]));
    changes.end();
  });

  it("confirm an answer until one is not shown yet", async () => {
    let nowMs = 1_000;
    const feed = new FakeFeed();
    const { changes, add } = followed(feed, () => nowMs);
    const { currentUntilMs } = add("alert");
    expect(currentUntilMs(1_000)).toBeUndefined();
    feed.send(bookmark);
    await eventually(() => expect(currentUntilMs(1_000)).toBe(1_000));
    nowMs = 16_000;
    feed.send(bookmark);
    await eventually(() => expect(currentUntilMs(1_000)).toBe(16_000));
    nowMs = 17_000;
    feed.send("svc.alert.raised");
    await eventually(() => expect(currentUntilMs(16_999)).toBe(17_000));
    nowMs = 18_000;
    feed.send(bookmark);
    await eventually(() => expect(currentUntilMs(17_001)).toBe(18_000));
    expect(currentUntilMs(16_999)).toBe(17_000);
    changes.end();
  });

  it("are read again from the start after a reset, also one that refuses the cursor", async () => {
    const feed = new FakeFeed();
    const { changes, refreshed, add } = followed(feed);
    add("job");
    feed.send(bookmark, "svc.feed.reset", undefined);
    await eventually(() => expect(feed.opened).toBe(2));
    await eventually(() => expect(refreshed).toEqual(["job"]));
    feed.send(catalogError("E203", { details: "gone" }, { status: 410 }));
    await eventually(() => expect(feed.opened).toBe(3));
    changes.end();
  });

  it("refresh what depends on rights when the platform has ended the stream", async () => {
    const feed = new FakeFeed();
    const { changes, refreshed, add } = followed(feed);
    feed.send(bookmark);
    await eventually(() => expect(changes.state.get()).toBe("following"));
    add("job");
    add(rightsNoun);
    feed.send(ended);
    await eventually(() => expect(refreshed).toEqual([rightsNoun]));
    expect(changes.state.get()).toBe("following");
    changes.end();
  });

  it("are polled where the platform has no stream", async () => {
    const feed = new FakeFeed();
    const { changes, add } = followed(feed);
    const { currentUntilMs } = add("job");
    feed.send(catalogError("E203", { details: "this platform has no stream of changes" }));
    await eventually(() => expect(changes.state.get()).toBe("polling"));
    expect(currentUntilMs(0)).toBeUndefined();
    expect(feed.opened).toBe(1);
    changes.end();
  });

  it("are not compared by the client, which would read all lists", async () => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: "http://127.0.0.1:1",
      token: "t",
      fetch: async (request) => {
        asked.push(new URL(request instanceof Request ? request.url : String(request)).pathname);
        return new Response("Not Found", { status: 404 });
      },
    });
    const changes = new Changes(() => true);
    changes.follow(client, crypto.randomUUID());
    await eventually(() => expect(changes.state.get()).toBe("polling"));
    expect(asked).toEqual(["/v4/realtime/events"]);
    changes.end();
  });
});
