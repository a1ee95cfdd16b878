import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { measured, requireSame } from "#client/files/same-bytes.ts";

test("a source is counted and digested while it is read", async () => {
  const { content, sent } = measured({ size: 5, stream: () => new Blob(["plans"]).stream() });
  expect(content).toMatchObject({ size: 5 });
  expect(await new Response(content.stream() as ReadableStream).text()).toBe("plans");
  const sha256 = createHash("sha256").update("plans").digest("hex");
  expect(sent()).toEqual({ size: 5, sha256 });
});

test.each([
  [{}, true],
  [{ size: 5, sha256: "AB" }, true],
  [{ size: 5, sha256: "cd" }, false],
  [{ size: 4 }, false],
])("stored bytes %j are those that were sent: %s", (stored, isSame) => {
  const check = (): void => requireSame(stored, { size: 5, sha256: "ab" });
  if (isSame) check();
  else expect(check).toThrow("the platform stored other bytes than the client sent");
});
