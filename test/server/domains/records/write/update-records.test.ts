import { expect, test } from "vitest";
import { resourceSearch } from "#contract/resources/reads/search.ts";
import { byDialect, raw } from "#server/database/statement.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, testPrincipal, typedWorkspace } from "#test/support/records.ts";

const thing = definition({
  properties: {
    name: { type: "string", unique: true },
    amount: { type: "number", indexed: true },
    text: { type: "text", searchable: true },
  },
});

describeOnEachDatabase("updates at the same time", (open, { engine }) => {
  async function thingsOn(count: number) {
    const database = await open();
    const services = await typedWorkspace(database, thing);
    const { work, resources, workspace } = services;
    const dataAt = (at: number) => ({ name: `thing ${at}`, amount: at, text: `lichen ${at}` });
    const made = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        resources.create(work, workspace, "thing", dataAt(at)),
      ),
    );
    const update = (at: number, data: object, version = 1) =>
      resources.update(work, workspace, "thing", {
        id: made[at]?.id ?? "",
        version,
        data: { ...dataAt(at), ...data },
      });
    const stored = async () => {
      const ids = made.map(({ id }) => id);
      return Promise.all(ids.map((id) => resources.get(work, workspace, "thing", id)));
    };
    return { ...services, database, made, update, stored };
  }

  test("of several records are all written, with history, index and search entry", async () => {
    const { database, work, workspace, resources, made, update, stored } = await thingsOn(60);
    const places = made.map((_, at) => at);
    const text = (at: number) => (at % 3 === 0 ? "" : at % 3 === 1 ? `moss ${at}` : `lichen ${at}`);
    await Promise.all(places.map((at) => update(at, { amount: at + 1_000, text: text(at) })));

    const after = await stored();
    expect(after.map(({ version }) => version)).toEqual(places.map(() => 2));
    expect(after.map(({ data }) => data["amount"])).toEqual(places.map((at) => at + 1_000));
    const { items } = await resources.list(work, workspace, "thing", {
      page: 1,
      limit: 100,
      where: JSON.stringify({ amount: { $gte: 1_000 } }),
      sort: "amount",
    });
    expect(items.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    const signal = new AbortController().signal;
    const history = await resources.history(
      work,
      { workspaceId: workspace, slug: "thing", id: made[7]?.id ?? "" },
      { page: 1, limit: 10 },
      signal,
    );
    expect(history.items).toMatchObject([
      { version: 2, operation: "update", actor: testPrincipal.oid },
      { version: 1, operation: "create" },
    ]);
    const entries = await database.read.all<{ id: string }>(
      byDialect({
        sqlite: raw(
          `select id from search_entries join resources on record_number = place
            and type_number = source order by id`,
        ),
        postgresql: raw("select place as id from search_entries order by place"),
      }),
    );
    expect(entries.map(({ id }) => id)).toEqual(
      made.flatMap(({ id }, at) => (at % 3 === 0 ? [] : [id])).toSorted(),
    );
    for (const [word, which] of [
      ["moss", 1],
      ["lichen", 2],
    ] as const) {
      const { results } = await resources.search.run(
        work,
        workspace,
        resourceSearch.parse({ query: word, types: ["thing"], mode: "fulltext", limit: 50 }),
        signal,
      );
      expect(results.map(({ id }) => id).toSorted()).toEqual(
        made.flatMap(({ id }, at) => (at % 3 === which ? [id] : [])).toSorted(),
      );
    }
    if (engine === "sqlite") return;
    const transactions = await database.read.all(raw("select distinct xmin::text from resources"));
    expect(transactions.length).toBeLessThan(10);
  });

  test("of one record: one is written, the others are refused with the changed fields", async () => {
    const { update, stored } = await thingsOn(3);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, turn) => update(turn % 2, { amount: 100 + turn })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    const refused = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason] : [],
    );
    for (const reason of refused) {
      expect(reason).toMatchObject({
        code: "version-conflict",
        options: { members: { currentVersion: 2, changedFields: ["amount"] } },
      });
    }
    expect((await stored()).map(({ version }) => version)).toEqual([2, 2, 1]);
  });

  test("are refused alone when one of them has a unique value that is taken", async () => {
    const { update, stored } = await thingsOn(12);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => update(at, at === 4 ? { name: "thing 11" } : {})),
    );
    const refused = results.flatMap((result, at) => (result.status === "rejected" ? [at] : []));
    expect(refused).toEqual([4]);
    expect(results[4]).toMatchObject({ reason: { code: "already-exists" } });
    const versions = (await stored()).map(({ version }) => version);
    expect(versions).toEqual([2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 1, 1]);
  });
});
