import fc from "fast-check";
import { expect, test } from "vitest";
import type { MergeableUnit, Writer } from "#server/database/database.ts";
import { columnType } from "#server/database/migration.ts";
import { DuplicateError } from "#server/kit/storage-errors.ts";
import { join, statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";

const cells = {
  name: "0001-cells",
  up: (context: { run(part: ReturnType<typeof statement>): Promise<void> }) =>
    context.run(statement`create table cells (
      key ${columnType.text} primary key, value ${columnType.integer} not null
    )`),
};

type Step =
  | { readonly do: "set"; readonly key: string; readonly value: number }
  | { readonly do: "add"; readonly key: string; readonly value: number }
  | { readonly do: "remove"; readonly key: string }
  /** Fails when the key exists. */
  | { readonly do: "insert"; readonly key: string; readonly value: number }
  | { readonly do: "throw" };

interface Unit {
  readonly steps: readonly Step[];
  /** Ticks to wait before the write. */
  readonly delay: number;
  /** Set when the only step is an insert that may be merged with others. */
  readonly isMerged: boolean;
}

const key = fc.constantFrom("a", "b", "c");
const value = fc.integer({ min: -100, max: 100 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("set" as const), key, value }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add" as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("insert" as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), key }) },
  { weight: 1, arbitrary: fc.constant({ do: "throw" } as const) },
);
const delay = fc.nat({ max: 2 });
const units: fc.Arbitrary<Unit[]> = fc.array(
  fc.oneof(
    fc.record({ steps: fc.array(step, { maxLength: 4 }), delay, isMerged: fc.constant(false) }),
    fc.record({
      steps: fc.tuple(fc.record({ do: fc.constant("insert" as const), key, value })),
      delay,
      isMerged: fc.constant(true),
    }),
  ),
  { minLength: 1, maxLength: 8 },
);

/** Units that wait for a batch may be overtaken by a unit that does not. */
const unmerged = units.map((list) => list.map((unit): Unit => ({ ...unit, isMerged: false })));

type Insert = Extract<Step, { do: "insert" }>;

const inserts: MergeableUnit<Step> = {
  isMergeable: () => true,
  weight: () => 1,
  one: (writer, step) => perform(writer, step),
  async all(writer, steps) {
    const rows = steps.filter((one): one is Insert => one.do === "insert");
    const values = rows.map(({ key: name, value: number }) => statement`(${name}, ${number})`);
    const made = await writer.all<{ key: string; value: number }>(statement`insert into cells
      (key, value) values ${join(values)} on conflict do nothing returning key, value`);
    return rows.map((row) => {
      const at = made.findIndex((one) => one.key === row.key && one.value === row.value);
      return at >= 0 && made.splice(at, 1).length > 0;
    });
  },
  // Always true; false for every other number, so that both ways of writing are used.
  isOneStatement: (steps) => steps.length % 2 === 1,
};

async function perform(writer: Writer, step: Step): Promise<void> {
  switch (step.do) {
    case "set":
      await writer.run(statement`insert into cells (key, value) values (${step.key}, ${step.value})
        on conflict (key) do update set value = excluded.value`);
      return;
    case "insert":
      await writer.run(
        statement`insert into cells (key, value) values (${step.key}, ${step.value})`,
      );
      return;
    case "remove":
      await writer.run(statement`delete from cells where key = ${step.key}`);
      return;
    case "add": {
      // Reads, computes and writes: a write in between would be lost.
      const row = await writer.first<{ value: number }>(
        statement`select value from cells where key = ${step.key}`,
      );
      if (row === undefined) return;
      await writer.run(
        statement`update cells set value = ${row.value + step.value} where key = ${step.key}`,
      );
      return;
    }
    case "throw":
      throw new Error("the unit gave up");
  }
}

/** The cells after the unit, or undefined when it fails. */
function predict(before: ReadonlyMap<string, number>, unit: Unit) {
  const after = new Map(before);
  for (const each of unit.steps) {
    if (each.do === "throw") return undefined;
    if (each.do === "remove") after.delete(each.key);
    else if (each.do === "set") after.set(each.key, each.value);
    else if (each.do === "insert") {
      if (after.has(each.key)) return undefined;
      after.set(each.key, each.value);
    } else {
      const now = after.get(each.key);
      if (now !== undefined) after.set(each.key, now + each.value);
    }
  }
  return after;
}

type Run = (unit: Unit) => Promise<boolean>;

function runOn(database: WholeDatabase): Run {
  const insert = database.merged(inserts);
  return async (unit) => {
    for (let tick = 0; tick < unit.delay; tick += 1) await new Promise(setImmediate);
    try {
      const [only] = unit.steps;
      if (unit.isMerged && only !== undefined) await insert(only);
      else {
        await database.write(async (writer) => {
          for (const each of unit.steps) await perform(writer, each);
        });
      }
      return true;
    } catch (error) {
      if (unit.isMerged && !(error instanceof DuplicateError)) throw error;
      return false;
    }
  };
}

const read = async (database: WholeDatabase): Promise<Map<string, number>> => {
  const rows = await database.read.all<{ key: string; value: number }>(
    statement`select key, value from cells`,
  );
  return new Map(rows.map((row) => [row.key, row.value]));
};

/** Every order of the units, if there are few enough. */
function* orders(rest: readonly Unit[]): Generator<readonly Unit[]> {
  if (rest.length === 0) yield [];
  for (const [index, first] of rest.entries()) {
    for (const tail of orders(rest.toSpliced(index, 1))) yield [first, ...tail];
  }
}

describeOnEachDatabase("random units", (open, { engine }) => {
  test("one after the other have the effect of the model", async () => {
    const database = await open({ migrations: [cells] });
    const run = runOn(database);
    await fc.assert(
      fc.asyncProperty(units, async (list) => {
        await database.write((writer) => writer.run(statement`delete from cells`));
        let model: ReadonlyMap<string, number> = new Map();
        for (const unit of list) {
          const after = predict(model, unit);
          expect(await run(unit)).toBe(after !== undefined);
          model = after ?? model;
          expect(await read(database)).toEqual(model);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("at the same time have the effect of some order, and failures leave no trace", async () => {
    const database = await open({ migrations: [cells], poolSize: 4 });
    const run = runOn(database);
    await fc.assert(
      fc.asyncProperty(units, async (list) => {
        const few = list.slice(0, 5);
        await database.write((writer) => writer.run(statement`delete from cells`));
        const succeeded = await Promise.all(few.map(run));
        const found = await read(database);
        const explained = orders(few).some((order) => {
          let model: ReadonlyMap<string, number> = new Map();
          const wentWell = new Map<Unit, boolean>();
          for (const unit of order) {
            const after = predict(model, unit);
            wentWell.set(unit, after !== undefined);
            model = after ?? model;
          }
          return (
            few.every((unit, index) => wentWell.get(unit) === succeeded[index]) &&
            model.size === found.size &&
            [...model].every(([name, number]) => found.get(name) === number)
          );
        });
        expect(explained).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  if (engine === "postgresql") return;
  test("run in the order in which they were written", async () => {
    const database = await open({ migrations: [cells] });
    const run = runOn(database);
    await fc.assert(
      fc.asyncProperty(unmerged, async (list) => {
        await database.write((writer) => writer.run(statement`delete from cells`));
        let model: ReadonlyMap<string, number> = new Map();
        const expected: boolean[] = [];
        for (const unit of list) {
          const after = predict(model, unit);
          expected.push(after !== undefined);
          model = after ?? model;
        }
        const atOnce = list.map((unit) => ({ ...unit, delay: 0 }));
        expect(await Promise.all(atOnce.map(run))).toEqual(expected);
        expect(await read(database)).toEqual(model);
      }),
      { numRuns: 50 },
    );
  });
});
