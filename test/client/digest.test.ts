import { afterEach, describe, expect, test, vi } from "vitest";
import { readContent } from "#client/content.ts";
import { startDigest } from "#client/digest.ts";

const text = "The wall is two metres high.";
const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** An answer whose digest is right, or that of something else. */
function answer(digest = sha256): Response {
  const bytes = new Uint8Array(Buffer.from(digest, "hex"));
  return new Response(text, {
    headers: {
      "content-length": String(text.length),
      "repr-digest": `sha-256=:${bytes.toBase64()}:`,
    },
  });
}

async function read(response: Response): Promise<string> {
  let received = "";
  const decoder = new TextDecoder();
  for await (const chunk of readContent(response, undefined, undefined).chunks()) {
    received += decoder.decode(chunk, { stream: true });
  }
  return received;
}

afterEach(() => {
  vi.doUnmock("node:crypto");
  vi.resetModules();
});

test("checks the read bytes by their digest", async () => {
  expect(await read(answer())).toBe(text);
  await expect(read(answer("00".repeat(32)))).rejects.toMatchObject({ code: "E203" });
});

describe("in a browser, where a bundler puts an empty module in the place of Node's,", () => {
  test("there is no digest of a stream, and content is read all the same", async () => {
    vi.doMock("node:crypto", () => ({ createHash: undefined }));
    const digest = await startDigest();
    digest.update(new TextEncoder().encode(text));
    expect(digest.hex()).toBeUndefined();
    expect(await read(answer())).toBe(text);
  });
});
