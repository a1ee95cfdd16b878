import { expect, it } from "vitest";
import { createClient, type Client, type Resource } from "#client/index.ts";
import { undoAll, undoStep } from "#ui/records/undo/undo.ts";
import type { Change, RecordWrite } from "#ui/records/undo/change-log.ts";
import { describePlatform, type TestPlatform } from "../../../support/platform.ts";

const signal = new AbortController().signal;

/** The same numbers in each run, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Two types with references that a deletion clears or follows, an action and files. */
async function openScope(platform: TestPlatform, name: string) {
  const clientOf = (user: "tenant-staff" | "tenant-builder"): Client =>
    createClient({
      baseUrl: platform.baseUrl,
      token: platform.users[user].token,
      tenantId: platform.workspaces.tenant,
      fetch: (request) => platform.platform.fetch(request),
    });
  const builder = clientOf("tenant-builder");
  const [caseType, noteType] = [`${name}-case`.toLowerCase(), `${name}-note`.toLowerCase()];
  await builder.objectTypes.create({
    body: {
      name: `${name}Case`,
      slug: caseType,
      properties: {
        title: { type: "string", required: true },
        size: { type: "integer" },
        status: { type: "enum", enum: ["open", "decided"], required: true },
        parent: { type: "reference", targetObjectType: caseType, onDelete: "clear" },
        plan: { type: "file" },
      },
      actions: [
        {
          name: "decide",
          requires: "tenant-staff",
          transition: { property: "status", from: ["open"], to: "decided" },
        },
      ],
    },
  });
  await builder.objectTypes.create({
    body: {
      name: `${name}Note`,
      slug: noteType,
      properties: {
        text: { type: "text" },
        case: { type: "reference", targetObjectType: caseType, onDelete: "cascade" },
      },
    },
  });
  const client = clientOf("tenant-staff");
  return { client, tenantId: platform.workspaces.tenant, signal, caseType, noteType };
}

type Scope = Awaited<ReturnType<typeof openScope>>;

/** The data and files of all records by id, without their versions. */
async function contentOf({ client, caseType, noteType }: Scope) {
  const content: Record<string, unknown> = {};
  for (const type of [caseType, noteType]) {
    const { items } = await client.useResources(type).list({ limit: 200 });
    for (const { id, data } of items) content[id] = data;
  }
  return content;
}

/** A random change by the calls of the dashboard's keys; `undefined` if none is possible. */
async function change(scope: Scope, below: (limit: number) => number): Promise<Change | undefined> {
  const { client, caseType, noteType } = scope;
  const [cases, notes] = [client.useResources(caseType), client.useResources(noteType)];
  const all = (await cases.list({ limit: 200 })).items;
  const one = all[below(all.length)];
  const written = (
    { id, version }: Pick<Resource, "id" | "version">,
    kind: "made" | "changed",
    objectType = caseType,
  ): Change => ({ words: kind, writes: [{ objectType, id, name: id, kind, version }] });
  const size = below(1_000);
  switch (one === undefined ? 0 : below(9)) {
    case 0:
    case 1: {
      const parent = one === undefined ? {} : { parent: one.id };
      return written(await cases.create({ title: `c${size}`, status: "open", ...parent }), "made");
    }
    case 2:
      return written(await notes.create({ text: `n${size}`, case: one?.id }), "made", noteType);
    case 3:
    case 4: {
      if (one === undefined) return undefined;
      const data = { ...one.data, title: `t${size}`, size };
      return written(await cases.update(one.id, data, { version: one.version }), "changed");
    }
    case 5: {
      const open = all.filter(({ data }) => data["status"] === "open").slice(0, 1 + below(3));
      const writes: RecordWrite[] = [];
      for (const { id } of open) {
        const { version } = await cases.execute(id, "decide");
        writes.push({ objectType: caseType, id, name: id, kind: "changed", version });
      }
      return { words: "decide", writes };
    }
    case 6: {
      if (one === undefined) return undefined;
      const bytes = new Blob([`plan ${size}`]);
      const { version = 0 } = await cases.uploadFile(one.id, "plan", bytes, { filename: "p.txt" });
      return written({ id: one.id, version }, "changed");
    }
    case 7: {
      const filed = all.find(({ data }) => data["plan"] !== undefined && data["plan"] !== null);
      if (filed === undefined) return undefined;
      await cases.deleteFile(filed.id, "plan");
      return written({ id: filed.id, version: filed.version + 1 }, "changed");
    }
    default: {
      const chosen = [...new Set([all[below(all.length)], one, all[0]])].filter(
        (record) => record !== undefined,
      );
      const items = chosen.slice(0, 1 + below(3)).map(({ id, version }) => ({ id, version }));
      const { results } = await client.resources.batchDelete({
        params: { objectType: caseType },
        body: { items },
      });
      const gone = items.filter((_, index) => (results[index]?.status ?? 500) < 400);
      const writes = gone.map(({ id }): RecordWrite => {
        return { objectType: caseType, id, name: id, kind: "deleted" };
      });
      return { words: "delete", writes };
    }
  }
}

describePlatform("the undo of changes", (the) => {
  it("brings back data and files after each of many random changes, the last one first", async () => {
    const scope = await openScope(the(), "Undo");
    const below = numbers(the().engine === "sqlite" ? 7 : 11);
    const made: { readonly change: Change; readonly before: unknown }[] = [];
    while (made.length < 40) {
      const before = await contentOf(scope);
      const next = await change(scope, below);
      if (next !== undefined && next.writes.length > 0) made.push({ change: next, before });
    }
    for (const { change: last, before } of made.toReversed()) {
      const outcome = await undoAll(scope, last.writes, () => {});
      expect({ ...outcome, words: last.words }).toMatchObject({ changed: [], refused: [] });
      expect(outcome.done).toHaveLength(last.writes.length);
      expect(await contentOf(scope)).toEqual(before);
    }
    expect(await contentOf(scope)).toEqual({});
  });

  it("leaves what was changed since, and shows the difference", async () => {
    const scope = await openScope(the(), "Since");
    const cases = scope.client.useResources(scope.caseType);
    const records = await Promise.all(
      ["a", "b"].map((title) => cases.create({ title, status: "open" })),
    );
    const writes: RecordWrite[] = [];
    for (const { id } of records) {
      const { version } = await cases.execute(id, "decide");
      writes.push({ objectType: scope.caseType, id, name: id, kind: "changed", version });
    }
    const [first, second] = writes;
    if (first === undefined || second === undefined) throw new Error("two records were written");
    await cases.patch(first.id, { size: 5, status: "open" });
    expect(await undoStep(scope, first)).toMatchObject({
      state: "changed",
      version: 3,
      differences: [
        { path: ["status"], before: "decided", after: "open" },
        { path: ["size"], kind: "added", after: 5 },
      ],
    });
    expect(await undoAll(scope, writes, () => {})).toMatchObject({
      done: [second],
      changed: [{ write: first }],
      refused: [],
    });
    await cases.delete(first.id);
    expect(await undoStep(scope, first)).toEqual({ write: first, state: "gone" });
  });
});
