import { expect, onTestFinished, test, vi } from "vitest";
import type { Reader } from "#server/database/database.ts";
import { ExecutingReader } from "#server/database/reader.ts";
import { FeedCursors, feedReset } from "#server/domains/feed/feed-cursors.ts";
import { ChangeCount } from "#server/kit/change-count.ts";
import { Secrets } from "#server/domains/secrets/service.ts";

const cursors = new FeedCursors(new Secrets(new Uint8Array(32)));

test("a cursor gives back the position of its workspace", () => {
  expect(cursors.read("a", cursors.write("a", "place"))).toBe("place");
});

test("a cursor of another workspace, of another installation or changed is none", () => {
  const cursor = cursors.write("a", "place");
  expect(cursors.read("b", cursor)).toBeUndefined();
  const others = new FeedCursors(new Secrets(new Uint8Array(32).fill(1)));
  expect(others.read("a", cursor)).toBeUndefined();
  expect(cursors.read("a", `x${cursor}`)).toBeUndefined();
  expect(cursors.read("a", "")).toBeUndefined();
});

test("the cursor of a position is signed once, and again for the next position", () => {
  const first = cursors.write("c", "one");
  expect(cursors.write("c", "one")).toBe(first);
  expect(cursors.read("c", cursors.write("c", "two"))).toBe("two");
});

/** A reader of a file whose feed ends with the number of its reads. */
function countingReader(): { readonly reader: Reader; reads: () => number } {
  let number = 0;
  const reader = new ExecutingReader("sqlite", () => {
    number += 1;
    return { rows: [{ epoch: "e", number, snapshot: null, newest: null }], changedRows: 0 };
  });
  return { reader, reads: () => number };
}

test("lists read the end of the feed again after a commit, and after half a second", () => {
  const commits = new ChangeCount();
  const kept = new FeedCursors(new Secrets(new Uint8Array(32)), commits);
  const { reader, reads } = countingReader();
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const first = kept.ofList(reader, "a");
  expect(kept.ofList(reader, "a")).toBe(first);
  expect(reads()).toBe(1);
  expect(kept.ofList(reader, "b")).not.toBe(first);
  commits.raise();
  const second = kept.ofList(reader, "a");
  expect(second).not.toBe(first);
  expect(kept.ofList(reader, "a")).toBe(second);
  now.mockReturnValue(1_500);
  expect(kept.ofList(reader, "a")).not.toBe(second);
  expect(reads()).toBe(4);
});

test("without a count of commits each list reads the end of the feed", () => {
  const { reader, reads } = countingReader();
  expect(cursors.ofList(reader, "a")).not.toBe(cursors.ofList(reader, "a"));
  expect(reads()).toBe(2);
});

test("a reset names its reason, the lists to read again and the new cursor", () => {
  const refusal = feedReset({ reset: "pruned", resources: ["/v4/x"], next: "n" }, "new cursor");
  expect(refusal).toMatchObject({
    code: "feed-reset",
    options: { members: { reason: "pruned", resources: ["/v4/x"], cursor: "new cursor" } },
  });
});
