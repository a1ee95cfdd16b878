import { expect, test } from "vitest";
import { cacheBounds, TypeCache } from "#server/domains/object-types/type-cache.ts";
import type { StoredObjectType } from "#server/domains/object-types/stored-types.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

/** A type of about a million characters. */
function large(number: number): StoredObjectType {
  const description = "x".repeat(1_000_000);
  return {
    workspace_id: "w",
    id: String(number),
    number,
    slug: `large-${number}`,
    name: "Large",
    definition: { description, properties: {}, linkTypes: [], actions: [] },
    slots: [],
    loose: [],
    on_delete: "restrict",
    links_state: "ready",
    text_order: 1,
    search_terms: 1,
    search_state: "ready",
    status: "published",
    version: 1,
    revision: 1,
    created_by: "u",
    updated_by: "u",
    created_at: "2026-11-21T09:30:00.000Z",
    updated_at: "2026-11-21T09:30:00.000Z",
  };
}

describeOnEachDatabase("the cache of types", (open) => {
  test("is bounded by what the definitions hold, and keeps the newest", async () => {
    const cache = new TypeCache({ ...testWorks(await open()), onLoad: () => {} });
    for (let number = 0; number < 50; number += 1) cache.put(large(number));
    expect(cache.kept.types).toBe(33);
    expect(cache.kept.characters).toBeLessThanOrEqual(cacheBounds.characters);
    expect(cache.find("w", "large-49")).toMatchObject({ number: 49 });
    expect(await cache.find("w", "large-0")).toBeUndefined();
  });

  test("counts a type that has changed once", async () => {
    const cache = new TypeCache({ ...testWorks(await open()), onLoad: () => {} });
    for (let revision = 1; revision < 50; revision += 1) cache.put({ ...large(1), revision });
    expect(cache.kept.types).toBe(1);
    expect(cache.kept.characters).toBeLessThan(1_100_000);
  });

  test("checks each type of a workspace, or of all, after a change of many", async () => {
    const works = testWorks(await open());
    const after = async (workspaceId: string, subject: string): Promise<boolean[]> => {
      const cache = new TypeCache({ ...works, onLoad: () => {} });
      cache.put(large(1));
      cache.put({ ...large(2), workspace_id: "other" });
      works.feed.committed([{ kind: "object-type", workspaceId, subject }]);
      // The database has neither of them.
      const found = [await cache.find("w", "large-1"), await cache.find("other", "large-2")];
      return found.map((type) => type !== undefined);
    };
    expect(await after("w", "*")).toEqual([false, true]);
    expect(await after("*", "w")).toEqual([false, true]);
    expect(await after("*", "*")).toEqual([false, false]);
  });
});
