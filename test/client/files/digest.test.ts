import { expect, test } from "vitest";
import { readContent } from "#client/files/content.ts";
import { startDigest } from "#client/files/digest.ts";

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

test("checks the read bytes by their digest", async () => {
  expect(await read(answer())).toBe(text);
  await expect(read(answer("00".repeat(32)))).rejects.toMatchObject({ code: "E203" });
});

test("there is no digest of a stream in a browser, which has no modules of Node", () => {
  expect(startDigest({})).toBeUndefined();
  expect(startDigest({ process: {} })).toBeUndefined();
  const digest = startDigest();
  digest?.update(new TextEncoder().encode(text));
  expect(digest?.hex()).toBe(sha256);
});
