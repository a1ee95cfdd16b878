import { expect, test } from "vitest";
import { tryCell, type Seen } from "#commands/verify/isolation/compare.ts";

const ids = { foreign: { record: "f-1" }, absent: { record: "a-1" } } as never;
const cell = {
  route: "resources.get",
  place: "path",
  names: ["record"],
  request: (own: { record: string }) => own.record,
} as never;

const seen = (status: number, text: string, fields: Record<string, string> = {}): Seen => ({
  status,
  text,
  headers: new Headers(fields),
});

async function leakOf(foreign: Seen, absent: Seen): Promise<string | undefined> {
  const send = (request: unknown) => Promise.resolve(request === "f-1" ? foreign : absent);
  return (await tryCell(cell, ids, send as never))?.reason;
}

test("answers are the same apart from ids, times and fields that always change", async () => {
  const foreign = seen(404, '{"detail":"no f-1","at":"2026-01-01T00:00:00Z","requestId":"r1"}', {
    "x-request-id": "r1",
    date: "x",
  });
  const absent = seen(404, '{"detail":"no a-1","at":"2026-01-02T00:00:00.5Z","requestId":"r2"}', {
    "x-request-id": "r2",
    date: "y",
  });
  expect(await leakOf(foreign, absent)).toBe(undefined);
});

test.each([
  [seen(403, ""), seen(404, ""), "the status differs"],
  [seen(404, "exists"), seen(404, "missing"), "the body differs"],
  [seen(404, "", { "x-owner": "w" }), seen(404, ""), "the header fields differ"],
])("case %#: a difference is a leak", async (foreign, absent, reason) => {
  expect(await leakOf(foreign, absent)).toBe(reason);
});
