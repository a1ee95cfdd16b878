import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { copyBlob, digestBlob } from "#server/files/copy-blob.ts";

const sha256 = createHash("sha256").update("plans").digest("hex");

async function* bytes() {
  yield Buffer.from("pla");
  yield Buffer.from("ns");
}

function copied(stagedSha256: string, content: object | undefined) {
  const done: string[] = [];
  const to = {
    stage: () =>
      Promise.resolve({
        address: { sha256: stagedSha256 },
        publish: async () => void done.push("publish"),
        discard: async () => void done.push("discard"),
      }),
  };
  const from = { open: () => Promise.resolve(content) };
  const outcome = copyBlob(from as never, to as never, { workspaceId: "w", sha256 });
  return { outcome, done };
}

test("only bytes with the right digest are copied, and what was staged is left nowhere", async () => {
  const content = { size: 5, stream: bytes };
  const sound = copied(sha256, content);
  expect([await sound.outcome, sound.done]).toEqual(["copied", ["publish", "discard"]]);
  const damaged = copied("other", content);
  expect([await damaged.outcome, damaged.done]).toEqual(["damaged", ["discard"]]);
  expect(await copied(sha256, undefined).outcome).toBe("missing");
});

test("a stored file is digested", async () => {
  const store = { open: () => Promise.resolve({ stream: bytes }) };
  expect(await digestBlob(store as never, {} as never)).toBe(sha256);
  expect(await digestBlob({ open: () => Promise.resolve(undefined) } as never, {} as never)).toBe(
    undefined,
  );
});
