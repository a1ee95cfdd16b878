import { expect, test } from "vitest";
import { placeOfEvent, Unseen } from "#server/domains/marks/unseen.ts";

const record = (subject: string, op = "updated", actor = "ada") =>
  ({ kind: "record", type: "case", subject, op, actor }) as const;

test("a place is that of the list which shows the subject", () => {
  expect(placeOfEvent({ kind: "file", type: "case" })).toBe("records/case");
  expect(placeOfEvent({ kind: "job", type: "document" })).toBe("jobs");
  expect(placeOfEvent({ kind: "job", type: "geo-report" })).toBeUndefined();
  expect(placeOfEvent({ kind: "member" })).toBe("members");
  expect(placeOfEvent({ kind: "member", type: "invitation" })).toBeUndefined();
  expect(placeOfEvent({ kind: "record" })).toBeUndefined();
});

test("a subject counts once, by its last change, and not after its deletion", () => {
  const unseen = new Unseen("records/case", "me", 2);
  for (const event of [record("a"), record("b"), record("a"), record("c", "created", "me")]) {
    unseen.add(event);
  }
  expect(unseen.ids).toEqual(["b", "a"]);
  unseen.add(record("b", "deleted"));
  unseen.add({ ...record("a", "deleted"), kind: "file" });
  unseen.add({ ...record("d"), type: "licence" });
  expect([unseen.ids, unseen.hasMore]).toEqual([["a"], false]);
  unseen.add(record("d"));
  unseen.add(record("e"));
  expect([unseen.ids, unseen.hasMore]).toEqual([["a", "d"], true]);
});
