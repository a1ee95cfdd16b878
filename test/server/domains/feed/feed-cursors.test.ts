import { expect, test } from "vitest";
import { FeedCursors, feedReset } from "#server/domains/feed/feed-cursors.ts";
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

test("a reset names its reason, the lists to read again and the new cursor", () => {
  const refusal = feedReset({ reset: "pruned", resources: ["/v4/x"], next: "n" }, "new cursor");
  expect(refusal).toMatchObject({
    code: "feed-reset",
    options: { members: { reason: "pruned", resources: ["/v4/x"], cursor: "new cursor" } },
  });
});
