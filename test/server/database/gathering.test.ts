import { expect, test } from "vitest";
import { Gathering } from "#server/database/gathering.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn();
}

test("what comes while as many work as may is the next work", async () => {
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const gathering = new Gathering<number, void>({
    async work(gathered) {
      sizes.push(gathered.length);
      await new Promise<void>((resolve) => ends.push(resolve));
      for (const { resolve } of gathered) resolve();
    },
    worksAtOnce: 2,
    itemsAtOnce: 100,
    queueLimit: 1_000,
  });
  const done: Promise<void>[] = [];
  const add = async (count: number): Promise<void> => {
    for (let item = 0; item < count; item += 1) done.push(gathering.add(item));
    await turns(3);
  };
  await add(5);
  await add(1);
  await add(2);
  await add(3);
  expect(sizes).toEqual([5, 1]);
  ends.shift()?.();
  await turns(3);
  expect(sizes).toEqual([5, 1, 5]);
  for (const end of ends) end();
  await Promise.all(done);
});

test("as long as others come with each turn, they are waited for, up to a limit", async () => {
  const sizes: number[] = [];
  const gathering = (limitMs: number) =>
    new Gathering<number, void>({
      async work(gathered) {
        sizes.push(gathered.length);
        for (const { resolve } of gathered) resolve();
      },
      worksAtOnce: 2,
      itemsAtOnce: 8,
      untilQuietMs: limitMs,
      queueLimit: 1_000,
    });
  const patient = gathering(60_000);
  const alone = patient.add(0);
  await turns(1);
  expect(sizes).toEqual([1]);
  await alone;

  const done: Promise<void>[] = [];
  for (let item = 0; item < 5; item += 1) {
    done.push(patient.add(item), patient.add(item));
    await turn();
  }
  await turns(3);
  // One work as large as may be, at once, and one of the others, when nobody came any more.
  expect(sizes).toEqual([1, 8, 2]);

  const hasty = gathering(0);
  for (let item = 0; item < 3; item += 1) {
    done.push(hasty.add(item), hasty.add(item));
    await turns(2);
  }
  expect(sizes).toEqual([1, 8, 2, 2, 2, 2]);
  await Promise.all(done);
});
