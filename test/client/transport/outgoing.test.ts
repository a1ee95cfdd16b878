import { expect, test } from "vitest";
import { isRead, isStreamed, requestBody, sendsStreams } from "#client/transport/outgoing.ts";

test("only a stream can't be sent twice", async () => {
  async function* chunks() {
    yield new TextEncoder().encode("ab");
  }
  const streamed = { chunks } as never;
  expect([isStreamed("text"), isStreamed(new Uint8Array(1)), isStreamed(undefined)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(isStreamed(streamed)).toBe(true);
  for (const body of ["ab", new TextEncoder().encode("ab"), streamed]) {
    expect(await new Response(requestBody(body)).text()).toBe("ab");
  }
  expect(sendsStreams).toBe(true);
});

test("GET and HEAD read", () => {
  expect(["GET", "HEAD", "POST", "DELETE"].map(isRead)).toEqual([true, true, false, false]);
});
