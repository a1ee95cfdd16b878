import { expect, test } from "vitest";
import { statesCondition, unwellParts } from "#contract/platform/condition.ts";

test.each<[unknown, readonly string[]]>([
  ["ok", []],
  ["DOWN", [" down"]],
  [{ status: "ok", database: "degraded" }, ["database degraded"]],
  [{ status: "unhealthy", detail: "no disk" }, [" down"]],
  [{ components: { database: { status: "down" }, files: { status: "up" } } }, ["database down"]],
  [{ components: [{ name: "search", healthy: false }] }, ["search down"]],
  [{ checks: { queue: false } }, ["queue down"]],
  [{ errors: [{ name: "mail", message: "no server" }] }, ["mail degraded"]],
  [{ ready: true, failed: false }, []],
  [{ version: "1.0" }, []],
])("the parts of %j that are not well", (answer, parts) => {
  expect(unwellParts(answer).map(({ name, state }) => `${name} ${state}`)).toEqual(parts);
});

test("a fault has its detail", () => {
  expect(unwellParts({ status: "down", message: "no disk" })).toEqual([
    { name: "", state: "down", word: "down", detail: "no disk" },
  ]);
});

test.each<[unknown, boolean]>([
  [{}, false],
  [{ version: "1.0" }, false],
  [{ status: "anything" }, true],
  [{ ok: true }, true],
  [{ errors: [] }, true],
  [{ database: "operational" }, true],
  [{ parts: [{ state: "x" }] }, true],
  ["", false],
])("%j states a condition: %s", (answer, holds) => {
  expect(statesCondition(answer)).toBe(holds);
});
