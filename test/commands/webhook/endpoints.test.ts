import { expect, test } from "vitest";
import {
  addressOf,
  answerWords,
  eventWords,
  filterOf,
  settingsOf,
  stateWords,
} from "#commands/webhook/endpoints.ts";

test("a filter has only what is given", () => {
  expect(filterOf({})).toEqual({});
  expect(filterOf({ kind: ["record"], type: ["site"], where: '{"a":1}' })).toEqual({
    kinds: ["record"],
    types: ["site"],
    where: { a: 1 },
  });
  expect(() => filterOf({ where: "7" })).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(settingsOf({ full: true, ordered: false, role: "tenant-staff" })).toEqual({
    body: "full",
    role: "tenant-staff",
  });
});

test.each([
  [{ kinds: ["record"], types: ["site"] }, "record of site"],
  [{}, "all"],
  [{ rules: ["r1", "r2"] }, "alerts of r1, r2"],
])("the events of %j are %s", (endpoint, words) => {
  expect(eventWords(endpoint as never)).toBe(words);
});

test("an endpoint says where it sends, and how that goes", () => {
  expect([
    addressOf({ url: "https://a" } as never),
    addressOf({ expiresAt: "2026" } as never),
    addressOf({} as never),
  ]).toEqual(["https://a", "none: deliveries are pulled", "none yet"]);
  expect([
    stateWords({ status: "active", consecutiveFailures: 3 } as never),
    stateWords({ status: "disabled", disabledReason: "gone" } as never),
  ]).toEqual(["active, 3 failures in a row", "disabled: gone"]);
  expect([
    answerWords({ error: "timed out" } as never),
    answerWords({ responseStatus: 204 } as never),
    answerWords({ responseStatus: null } as never),
  ]).toEqual(["timed out", "204", ""]);
});
