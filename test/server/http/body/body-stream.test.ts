import { expect, test } from "vitest";
import { bodyStream, freeChunk, networkRequests } from "#server/http/body/body-stream.ts";

function post(text: string, headers: Record<string, string> = {}): Request {
  return new Request("http://a.test/", { method: "POST", body: text, headers });
}

async function read(request: Request, limitBytes = 10): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyStream(request, limitBytes)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

test("a body is read in chunks, which are freed where nothing else uses them", async () => {
  expect(await read(post("plans", { "content-length": "5" }))).toBe("plans");
  const request = post("plans");
  networkRequests.add(request);
  let last: Uint8Array | undefined;
  for await (const chunk of bodyStream(request, 10)) last = chunk;
  expect(last?.byteLength).toBe(0);
});

test.each([
  ["a longer one than allowed", post("x", { "content-length": "11" }), "content-too-large"],
  ["a shorter one than announced", post("x", { "content-length": "5" }), "malformed-body"],
  ["a compressed one", post("x", { "content-encoding": "gzip" }), "unsupported-media-type"],
])("%s is refused", async (_case, request, code) => {
  await expect(read(request)).rejects.toMatchObject({ code });
});

test("a part of a buffer is not freed", () => {
  const whole = new Uint8Array(8);
  const part = whole.subarray(2);
  freeChunk(part);
  expect(part.byteLength).toBe(6);
  freeChunk(whole);
  expect(whole.byteLength).toBe(0);
});
