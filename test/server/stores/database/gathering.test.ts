import { expect, test } from "vitest";
import { Gathering } from "#server/stores/database/gathering.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn();
}

/** Works that go on until they are ended, in the order in which they began. */
function heldWorks(limitMs: number) {
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
    company: { items: 12, limitMs },
    queueLimit: 1_000,
  });
  const add = (count: number): Promise<void[]> =>
    Promise.all(Array.from({ length: count }, (_, item) => gathering.add(item)));
  return { sizes, add, end: () => ends.shift()?.() };
}

test("what comes at the same time is one work, and begins at once where nothing works", async () => {
  const { sizes, add, end } = heldWorks(60_000);
  const done = add(5);
  await turns(3);
  expect(sizes).toEqual([5]);
  end();
  await done;
});

test("beside a work of many items, twice as many are waited for", async () => {
  const { sizes, add, end } = heldWorks(60_000);
  const done = [add(5)];
  await turns(3);
  done.push(add(9));
  await turns(3);
  expect(sizes).toEqual([5]);
  done.push(add(1));
  await turns(3);
  expect(sizes).toEqual([5, 10]);
  end();
  // At most so many as are said.
  done.push(add(12));
  await turns(3);
  expect(sizes).toEqual([5, 10, 12]);
  end();
  end();
  await Promise.all(done);
});

test("nobody is waited for any longer when the work ends", async () => {
  const { sizes, add, end } = heldWorks(60_000);
  const done = [add(5)];
  await turns(3);
  done.push(add(2));
  end();
  await turns(6);
  expect(sizes).toEqual([5, 2]);
  end();
  await Promise.all(done);
});

test("nobody is waited for longer than the limit", async () => {
  const { sizes, add, end } = heldWorks(1);
  const done = [add(5)];
  await turns(3);
  done.push(add(2));
  await expect.poll(() => sizes).toEqual([5, 2]);
  end();
  end();
  await Promise.all(done);
});

test("beside a work of few items nobody waits", async () => {
  const { sizes, add, end } = heldWorks(60_000);
  const done = [add(3)];
  await turns(3);
  done.push(add(1));
  await turns(3);
  expect(sizes).toEqual([3, 1]);
  end();
  end();
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
      untilQuiet: { limitMs },
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
