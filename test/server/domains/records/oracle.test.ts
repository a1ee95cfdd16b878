import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { batchOfOperations, type BatchOperation } from "#contract/resources/batch.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, typedWorkspace, type RecordServices } from "#test/support/records.ts";
import { Model, type Operation } from "./oracle.ts";

/** `RECORD_OPERATIONS=1000` and `RECORD_SEED` run more of them, and the same ones again. */
const count = Number(process.env["RECORD_OPERATIONS"] ?? 300);
const seed = Number(process.env["RECORD_SEED"] ?? 20_261_127);

const thing = definition({
  properties: {
    code: { type: "string", unique: true, required: true },
    amount: { type: "integer", minimum: 0 },
    nested: { type: "object" },
    parent: { type: "reference", targetObjectType: "thing", indexed: true },
  },
});
const signal = new AbortController().signal;

/** Numbers from 0 to below 1 that a seed decides (mulberry32). */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Makes operations that succeed, and some that do not. */
class Operations {
  readonly #random: () => number;
  readonly #gone = ["0190a000-0000-7000-8000-0000000000ff"];

  constructor(
    start: number,
    private readonly model: Model,
  ) {
    this.#random = randomOf(start);
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  anyId(): string {
    const ids = [...this.model.records.keys()];
    const gone = this.#gone[this.below(this.#gone.length)] ?? "";
    return this.below(8) === 0 ? gone : (ids[this.below(ids.length)] ?? gone);
  }

  next(): Operation {
    const kind = this.below(10);
    if (kind < 3) return { op: "create", data: this.#data() };
    const id = this.anyId();
    const version = (this.model.records.get(id)?.version ?? 1) - (this.below(6) === 0 ? 1 : 0);
    if (kind === 3) return { op: "update", id, data: this.#data(), version: Math.max(1, version) };
    if (kind < 6) return { op: "patch", id, data: this.#changes() };
    if (kind < 9) {
      const { code: _code, ...data } = this.#data();
      const replace = this.below(3) === 0 ? { replace: true } : {};
      return { op: "upsert", property: "code", value: this.#code(), data, ...replace };
    }
    // Records that others refer to stay: those are asked for less often.
    if (this.model.referring(id).length > 0 && this.below(4) > 0) {
      return { op: "patch", id, data: { amount: 0 } };
    }
    if (this.model.records.has(id)) this.#gone.push(id);
    return { op: "delete", id };
  }

  #code(): string {
    return `code ${this.below(40)}`;
  }

  #data(): JsonObject {
    return {
      code: this.#code(),
      ...(this.below(2) === 0 ? { amount: this.below(12) - 1 } : {}),
      ...(this.below(3) === 0 ? { nested: { a: this.below(3), b: [this.below(3)] } } : {}),
      ...(this.below(4) === 0 ? { parent: this.anyId() } : {}),
    };
  }

  #changes(): JsonObject {
    const changes: JsonObject[] = [
      { amount: this.below(12) - 1 },
      { amount: null },
      { nested: { a: null, c: this.below(3) } },
      { parent: this.below(2) === 0 ? this.anyId() : null },
      { code: this.#code() },
      { code: null },
    ];
    return changes[this.below(changes.length)] ?? {};
  }
}

/** One write, as its own request. */
async function send(
  { work, resources }: RecordServices,
  workspaceId: string,
  operation: Operation,
): Promise<{ readonly status: number; readonly id?: string }> {
  const scope = { workspaceId, slug: "thing" };
  try {
    switch (operation.op) {
      case "create":
        return {
          status: 201,
          id: (await resources.create(work, workspaceId, "thing", operation.data)).id,
        };
      case "update":
        await resources.update(work, workspaceId, "thing", operation);
        return { status: 200 };
      case "patch":
        await resources.patch(work, workspaceId, "thing", operation);
        return { status: 200 };
      case "delete":
        await resources.delete(work, workspaceId, "thing", operation.id);
        return { status: 204 };
      case "upsert": {
        const done = await resources.upserts.run(work, scope, operation);
        return done.isNew ? { status: 201, id: done.made.id } : { status: 200 };
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status };
  }
}

async function sendBatch(
  { work, resources }: RecordServices,
  workspaceId: string,
  items: readonly Operation[],
  atomic: boolean,
): Promise<{ readonly statuses: number[]; readonly ids: (string | undefined)[] } | undefined> {
  const batch = batchOfOperations({ items: items as BatchOperation[], atomic });
  try {
    const { results } = await resources.batch.write(work, { workspaceId, slug: "thing" }, batch);
    return { statuses: results.map(({ status }) => status), ids: results.map(({ id }) => id) };
  } catch (error) {
    if (error instanceof Refusal && atomic) return undefined;
    throw error;
  }
}

function expectRead(model: Model, id: string, read: Resource): void {
  const { data, version } = model.records.get(id) ?? { data: {}, version: 0 };
  const { amount, parent } = data;
  expect(read.data).toEqual(amount === undefined ? {} : { amount });
  expect(read.version).toBe(version);
  const referring = model.referring(id);
  const target = typeof parent === "string" ? model.records.get(parent) : undefined;
  expect(read.expanded).toMatchObject({
    parent:
      target === undefined ? null : { id: parent, version: target.version, data: target.data },
    "thing.parent": {
      items: referring.slice(0, 100).map((one) => ({ id: one })),
      total: referring.length,
    },
  });
}

describeOnEachDatabase("random operations on records", (open) => {
  test(`have the results that a model has (seed ${seed})`, async () => {
    const services = await typedWorkspace(await open(), thing);
    const { work, resources, workspace } = services;
    let model = new Model();
    for (let step = 0; step < count; step += 1) {
      const operations = new Operations(seed + step * 7919, model);
      const place = `step ${step}`;
      const kind = operations.below(10);
      if (kind < 6) {
        const operation = operations.next();
        const { status, id } = await send(services, workspace, operation);
        const expected = model.write(operation, "new");
        expect(status, `${place}: ${JSON.stringify(operation)}`).toBe(expected);
        if (id !== undefined) model.rename("new", id);
      } else if (kind < 8) {
        const items = Array.from({ length: 1 + operations.below(8) }, () => operations.next());
        const atomic = operations.below(3) === 0;
        const after = new Model(model);
        const expected = after.batch(items);
        const isRefused = atomic && expected.some((status) => status >= 400);
        const answer = await sendBatch(services, workspace, items, atomic);
        const words = `${place}: ${JSON.stringify(items)}`;
        expect(answer?.statuses, words).toEqual(isRefused ? undefined : expected);
        if (answer !== undefined) {
          for (const [index, status] of expected.entries()) {
            if (status === 201) after.rename(`new ${index}`, answer.ids[index] ?? "");
          }
          model = after;
        }
      } else {
        const id = operations.anyId();
        if (!model.records.has(id)) continue;
        const query = { fields: "amount", expand: "parent,thing.parent" };
        const read = { workspaceId: workspace, slug: "thing", id };
        expectRead(model, id, await resources.getSelected(work, read, query, signal));
      }
    }
    const list = await resources.list(work, workspace, "thing", { limit: 500, count: true });
    expect(list.total).toBe(model.records.size);
    expect(new Map(list.items.map(({ id, version, data }) => [id, { version, data }]))).toEqual(
      model.records,
    );
    for (const [id, expected] of model.histories) {
      const place = { workspaceId: workspace, slug: "thing", id };
      const { items } = await resources.history(work, place, { limit: 500 }, signal);
      expect(items.map(({ operation }) => operation).toReversed(), id).toEqual(expected);
    }
  }, 60_000);
});
