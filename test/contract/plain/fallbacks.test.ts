import { expect, test } from "vitest";
import { fallbackValue, type Fallback } from "#contract/plain/fallbacks.ts";

test.each<[fallback: Fallback, answer: object, value: unknown]>([
  [{ value: 0 }, {}, 0],
  ["position", {}, 4],
  ["itself", { id: "a" }, { id: "a" }],
  ["account email", { user: { mail: "ada@example.org" } }, "ada@example.org"],
  ["condition", { status: "DOWN" }, "down"],
  ["condition", {}, "ok"],
  ["healthy", { findings: [{}] }, false],
  ["sync results", { status: "applied" }, [{ backend: "all", state: "applied" }]],
  ["storage backends", { blob: "ok", n: 1 }, [{ backend: "blob", status: "ok" }]],
  ["planned types", { plan: [] }, []],
  ["planned types", {}, undefined],
  ["item status", { error: "no" }, 400],
  ["item status", { status: "done" }, 200],
  ["succeeded", { results: [{ status: 200 }, { status: 409 }] }, 1],
  ["failed", { results: [{ status: 200 }, { status: 409 }] }, 1],
  ["ready", { state: "Available" }, true],
  [
    "readiness",
    { data: { a: true, b: "missing" } },
    [
      { workflow_key: "a", ready: true },
      { workflow_key: "b", status: "missing" },
    ],
  ],
  ["chat message", { response: { text: "Yes." } }, { role: "assistant", content: "Yes." }],
  ["chat message", { choices: [{ message: { content: "No." } }] }, { content: "No." }],
])("%j of %j", (fallback, answer, value) => {
  expect(fallbackValue(fallback, { ...answer }, 4)).toEqual(value);
});
