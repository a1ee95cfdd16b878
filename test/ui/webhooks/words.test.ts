import { expect, test } from "vitest";
import { callLines, deliveryAnswer, endpointEvents, endpointState } from "#ui/webhooks/words.ts";

test("the health of an endpoint is its status until something fails", () => {
  const endpoint = { id: "w", url: "https://hooks.example.org", status: "active" };
  expect(endpointState(endpoint)).toBe("active");
  expect(endpointState({ ...endpoint, consecutiveFailures: 1 })).toBe("1 failure in a row");
  const gone = { ...endpoint, status: "disabled", disabledReason: "gone", consecutiveFailures: 9 };
  expect(endpointState(gone)).toBe("disabled: gone");
});

test("the events of an endpoint are all, or its kinds and types", () => {
  const endpoint = { id: "w", url: null };
  expect(endpointEvents({ ...endpoint, kinds: null, types: null })).toBe("all");
  expect(endpointEvents({ ...endpoint, kinds: ["record", "file"], types: ["licence"] })).toBe(
    "record, file of licence",
  );
});

test("a delivery without an answer has the reason", () => {
  expect(deliveryAnswer({ id: "d", responseStatus: 204 })).toBe("204");
  expect(deliveryAnswer({ id: "d", responseStatus: null, error: "timed out" })).toBe("timed out");
  expect(deliveryAnswer({ id: "d", responseStatus: null })).toBe("no answer yet");
});

test("a long body of a received call is cut, with the number of characters that are left", () => {
  const body = "x".repeat(20_007);
  const area = { width: 100, nowMs: 0 };
  const lines = callLines({ id: "c" }, { ...area, value: { id: "c", body, headers: {} } });
  const text = lines.map((spans) => spans.map((span) => span.text).join("")).join("\n");
  expect(text).toContain("… 7 characters more");
});
