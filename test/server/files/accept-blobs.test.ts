import { expect, test } from "vitest";
import { acceptBlobs } from "#server/files/accept-blobs.ts";

/** A database in which a removal runs during the first transactions. */
function opened(runningFor: number) {
  const facts = { attempts: 0, published: 0, waits: 0 };
  const first = () => ({ removals: 0, count: 0 });
  const writer = {
    first: () => (facts.attempts <= runningFor ? { found: 1, removals: 1, count: 1 } : undefined),
  };
  const blob = {
    address: { workspaceId: "w", sha256: "a" },
    publish: async () => void (facts.published += 1),
  };
  const accepted = acceptBlobs(
    {
      database: { read: { first } as never },
      staged: [blob as never],
      onWait: () => (facts.waits += 1),
    },
    async (requireStored) => {
      facts.attempts += 1;
      await requireStored(writer as never);
      return "accepted";
    },
  );
  return { facts, accepted };
}

test("bytes that a removal takes away are published again", async () => {
  const { facts, accepted } = opened(2);
  expect(await accepted).toBe("accepted");
  expect(facts).toEqual({ attempts: 3, published: 3, waits: 2 });
});

test("another failure of the transaction is thrown", async () => {
  const database = { read: { first: () => undefined } as never };
  const failing = acceptBlobs({ database, staged: [] }, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
});
