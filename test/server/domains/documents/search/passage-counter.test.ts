import { expect, test } from "vitest";
import type { Database, Reader } from "#server/database/database.ts";
import { PassageCounter } from "#server/domains/documents/search/passage-counter.ts";
import { insertPassages } from "#server/domains/documents/store/passages.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { addDocument, licensing, planning } from "../store/new-document.ts";

describeOnEachDatabase("counts of passages by word", (open) => {
  const add = async (database: Database, workspaceId: string, words: string, count: number) => {
    const document = await addDocument(database, { workspaceId, sha256: Bun.randomUUIDv7() });
    const terms = words.split(" ");
    const passages = Array.from({ length: count }, (_, ordinal) => {
      return { ordinal, page: 1, start: 0, end: 1, text: "x", headings: "", terms };
    });
    await database.write((writer) => insertPassages(writer, document, passages));
    return document;
  };
  /** A reader that counts what it is asked. */
  const counting = (database: Database): { reader: Reader; asked: number } => {
    const counted = {
      asked: 0,
      reader: Object.create(database.scan, {
        all: {
          value: (...args: Parameters<Reader["all"]>) => {
            counted.asked += 1;
            return database.scan.all(...args);
          },
        },
      }) as Reader,
    };
    return counted;
  };

  test("are exact below 500, kept for a while from there on, and those of one scope", async () => {
    const database = await open();
    const counter = new PassageCounter();
    const counted = counting(database);
    const planned = { workspaceId: planning };
    const count = (terms: string[], scope = {}) =>
      counter.count(counted.reader, { ...planned, ...scope }, terms);
    const rare = await add(database, planning, "quay rare", 2);
    await add(database, planning, "quay", 5_001);
    await add(database, licensing, "quay", 1);

    expect(await count(["quay", "rare", "none"])).toEqual({ all: 5_000, having: [5_000, 2, 0] });
    expect(await count(["quay"], { documentIds: [rare.id] })).toEqual({ all: 2, having: [2] });
    expect(await count(["quay"], { workspaceId: licensing })).toEqual({ all: 1, having: [1] });

    counted.asked = 0;
    expect(await count(["quay"])).toEqual({ all: 5_000, having: [5_000] });
    expect(counted.asked).toBe(0);
    await add(database, planning, "rare none quay", 1);
    expect(await count(["none", "quay", "rare"])).toEqual({ all: 5_000, having: [1, 5_000, 3] });
    expect(counted.asked).toBe(1);
  });
});
