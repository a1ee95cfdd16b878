import { expect, test } from "vitest";
import { compileFilter, type FeedEvent } from "#server/domains/feed/service.ts";

const event = (members: Partial<FeedEvent>): FeedEvent => ({
  id: "a.1.0",
  workspaceId: "one",
  at: "2026-11-27T07:00:00.000Z",
  kind: "record",
  subject: "id-1",
  op: "updated",
  type: "case",
  ...members,
});

test("without members it has every event", () => {
  expect(compileFilter({}, []).matches(event({ kind: "member" }))).toBe("in");
});

test("has kinds and types that it names", () => {
  const filter = compileFilter({ kinds: ["record", "job"], types: ["case"] }, []);
  expect(filter.matches(event({}))).toBe("in");
  expect(filter.matches(event({ type: "other" }))).toBeUndefined();
  expect(filter.matches(event({ kind: "file" }))).toBeUndefined();
  // A job's type is not that of a record.
  expect(filter.matches(event({ kind: "job", type: "case" }))).toBeUndefined();
});

test("refuses a filter of records without their types", () => {
  expect(() => compileFilter({ where: { officer: "kim" } }, [])).toThrow(
    expect.objectContaining({ code: "validation-failed" }),
  );
});
