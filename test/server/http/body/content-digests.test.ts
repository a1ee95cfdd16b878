import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { ContentDigests } from "#server/http/body/content-digests.ts";

const bytes = Buffer.from("plans");
const digest = (algorithm: string, encoding: "base64" | "hex"): string =>
  createHash(algorithm).update(bytes).digest(encoding);

async function verify(fields: Record<string, string>): Promise<void> {
  const digests = new ContentDigests(new Headers(fields));
  async function* content() {
    yield bytes.subarray(0, 2);
    yield bytes.subarray(2);
  }
  for await (const chunk of digests.watch(content())) expect(chunk.length).toBeGreaterThan(0);
  digests.verify(digest("sha256", "hex"));
}

test.each([
  [{}],
  [{ "content-digest": `sha-256=:${digest("sha256", "base64")}:` }],
  [{ "repr-digest": `md5=:AAAA:, sha-512=:${digest("sha512", "base64")}:` }],
])("%j fits", async (fields) => {
  await verify(fields as Record<string, string>);
});

test("a wrong digest is reported at its field", async () => {
  const fields = { "repr-digest": `sha-512=:${digest("sha256", "base64")}:` };
  await expect(verify(fields)).rejects.toMatchObject({
    code: "validation-failed",
    options: { errors: [{ pointer: "#/header/Repr-Digest" }] },
  });
});

test("a field that is no list of digests is refused", async () => {
  await expect(verify({ "content-digest": "sha-256=abc" })).rejects.toMatchObject({
    code: "malformed-request",
  });
});
