import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import type { Batch, BatchResult } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import { describeInTurn } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
  typedWorkspace,
} from "#test/support/records.ts";

const slug = "thing";
const thing = definition({
  properties: {
    code: { type: "string", unique: true },
    mark: { type: "integer", unique: true },
    amount: { type: "number", minimum: 0, indexed: true },
    name: { type: "string", indexed: true },
    parent: { type: "reference", targetObjectType: slug },
  },
});

/** Few values, so that many are taken; some are invalid. */
const data = fc.record(
  {
    code: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    mark: fc.constantFrom(1, 2, 3, 4, 5, 6, "wrong"),
    amount: fc.constantFrom(0.1, 5, 1e300, -1),
    name: fc.constantFrom("", "x", "ä", null),
  },
  { requiredKeys: [] },
);
const creations = fc.array(data, { minLength: 1, maxLength: 8 });
/** The place of the record, its version and the new data. */
const updates = fc.uniqueArray(
  fc.record({ at: fc.nat(11), version: fc.constantFrom(1, 1, 1, 2), data }),
  { minLength: 1, maxLength: 8, selector: ({ at }) => at },
);
const deletions = fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 5 });

function batchOf<Item>(items: readonly Item[], namesRecords: boolean): Batch<Item> {
  return { items, isAtomic: false, namesRecords, placeOf: (index) => [index] };
}

/** The status of a single request, as a batch has it for the item. */
async function statusOf(good: number, work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return good;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.status;
  }
}

/** The stored records without ids and times. */
async function stateOf({ work, resources }: RecordServices, workspace: string): Promise<unknown> {
  const { items, total } = await resources.list(work, workspace, slug, {
    limit: 500,
    sort: "id",
    count: true,
  });
  return { total, items: items.map(({ version, data: stored }) => ({ version, stored })) };
}

describeInTurn("a batch", (open) => {
  test("does the same as single requests in sequence", async () => {
    const services = recordServices(await open());
    const { work, objectTypes, resources } = services;
    const plan = fc.tuple(creations, creations, updates, deletions);
    await fc.assert(
      fc.asyncProperty(plan, async ([first, second, changes, gone]) => {
        const workspaces = [newWorkspace(), newWorkspace()] as const;
        const [together, alone] = workspaces;
        for (const one of workspaces) await objectTypes.create(work, one, thing);
        const scope = { workspaceId: together, slug };
        const statuses = (results: readonly BatchResult[]): number[] =>
          results.map(({ status }) => status);

        const ids: { together: string; alone: string }[] = [];
        for (const items of [first, second]) {
          const { results } = await resources.batch.create(work, scope, batchOf(items, false));
          const single: number[] = [];
          for (const [index, item] of items.entries()) {
            const status = await statusOf(201, async () => {
              const made = await resources.create(work, alone, slug, { ...item });
              ids.push({ together: results[index]?.id ?? "", alone: made.id });
            });
            single.push(status);
          }
          expect(statuses(results)).toEqual(single);
        }

        const wanted = changes.flatMap(({ at, ...change }) => {
          const pair = ids[at];
          return pair === undefined ? [] : [{ pair, ...change }];
        });
        const { results } = await resources.batch.update(
          work,
          scope,
          batchOf(
            wanted.map(({ pair, version, data: next }) => ({
              id: pair.together,
              version,
              data: next,
            })),
            true,
          ),
        );
        const single: number[] = [];
        for (const { pair, version, data: next } of wanted) {
          single.push(
            await statusOf(200, () =>
              resources.update(work, alone, slug, { id: pair.alone, version, data: next }),
            ),
          );
        }
        expect(statuses(results)).toEqual(single);

        const pairs = gone.flatMap((at) => ids[at] ?? []);
        if (pairs.length > 0) {
          const removed = await resources.batch.delete(
            work,
            scope,
            batchOf(
              pairs.map(({ together: id }) => ({ id })),
              true,
            ),
          );
          expect(removed.failed).toBe(0);
          for (const { alone: id } of pairs) await resources.delete(work, alone, slug, id);
        }
        expect(await stateOf(services, together)).toEqual(await stateOf(services, alone));
      }),
      { numRuns: 60 },
    );
  });

  test("writes the history of each record", async () => {
    const { work, resources, workspace: workspaceId } = await typedWorkspace(await open(), thing);
    const scope = { workspaceId, slug };
    const made = await resources.batch.create(
      work,
      scope,
      batchOf<JsonObject>([{ name: "old", amount: 1 }, { name: "other" }], false),
    );
    const id = String(made.results[0]?.id);
    await resources.batch.update(
      work,
      scope,
      batchOf([{ id, version: 1, data: { name: "new" } }], true),
    );
    await resources.batch.delete(work, scope, batchOf([{ id }], true));
    const signal = AbortSignal.timeout(10_000);
    const changed = expect.arrayContaining([
      { op: "test", path: "/name", value: "old" },
      { op: "remove", path: "/amount" },
    ]);
    const { items } = await resources.history(work, { workspaceId, slug, id }, {}, signal);
    expect(items).toMatchObject([
      { version: 3, operation: "delete", changes: [{ op: "test", value: { name: "new" } }, {}] },
      { version: 2, operation: "update", changes: changed },
      { version: 1, operation: "create", changes: [{ value: { name: "old", amount: 1 } }] },
    ]);
  });

  test("fills the index columns that filters use", async () => {
    const { work, resources, workspace: workspaceId } = await typedWorkspace(await open(), thing);
    const scope = { workspaceId, slug };
    const amounts = [0.1, 0.2, 1e300, 5e-324, 123_456_789.123_456_78];
    await resources.batch.create(
      work,
      scope,
      batchOf<JsonObject>(
        amounts.map((amount) => ({ amount, name: `n${amount}` })),
        false,
      ),
    );
    for (const amount of amounts) {
      const found = await resources.findRecords(work, workspaceId, slug, {
        amount,
        name: `n${amount}`,
      });
      expect(found.map(({ data: stored }) => stored["amount"])).toEqual([amount]);
    }
  });
});
