import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { batchOfCreation, batchOfDeletion, batchOfUpdate } from "#contract/resources/batch.ts";
import { objectTypeById } from "#server/domains/object-types/service.ts";
import { replaceEntries } from "#server/domains/records/store/search/entries.ts";
import { searchTermsVersion } from "#server/text/search/searched-texts.ts";
import { uuidNumber } from "#server/kit/ordered-uuid.ts";
import { resourceSearch, type ResourceSearchInput } from "#contract/resources/reads/search.ts";
import type { JsonObject } from "#contract/values.ts";
import type { WriteScope } from "#server/domains/records/write/write-unit.ts";
import { checkRecords } from "#server/domains/storage/doctor.ts";
import { byDialect, statement, type Statement } from "#server/database/statement.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  resourceIn,
  type RecordServices,
} from "#test/support/records.ts";

const note = definition({
  name: "Note",
  slug: "note",
  properties: {
    title: { type: "string", searchable: true },
    body: { type: "text", searchable: true },
    aside: { type: "string" },
    code: { type: "string", unique: true },
  },
  actions: [{ name: "retitle", set: { title: "Retitled" } }],
});

describeOnEachDatabase("the search index of records", (open) => {
  let services: RecordServices;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    services = recordServices(await open());
  });

  async function workspaceOfNotes(): Promise<string> {
    const workspace = newWorkspace();
    await services.objectTypes.create(services.work, workspace, note);
    return workspace;
  }

  async function ids(workspace: string, wanted: ResourceSearchInput): Promise<string[]> {
    const search = resourceSearch.parse({ mode: "fulltext", limit: 100, ...wanted });
    const answer = await services.resources.search.run(services.work, workspace, search, signal);
    return answer.results.map(({ id }) => id);
  }

  async function make(workspace: string, data: JsonObject): Promise<string> {
    return (await services.resources.create(services.work, workspace, "note", data)).id;
  }

  const scopeOf = (workspaceId: string): WriteScope => ({
    workspaceId,
    slug: "note",
  });

  /** The doctor's findings about the index. */
  async function faults(workspace: string): Promise<unknown[]> {
    const type = await services.objectTypes.find(workspace, "note");
    if (type === undefined) throw new Error("the type is there");
    const { database: reader } = services;
    const { findings } = await checkRecords({ reader: reader.read, type: type.stored, limit: 500 });
    return findings.map(({ code, count }) => [code, count]);
  }

  test("follows a record from its creation to its end", async () => {
    const workspace = await workspaceOfNotes();
    const id = await make(workspace, { title: "Harbour wall", body: "Repairs" });
    expect(await ids(workspace, { query: "harbour" })).toEqual([id]);
    const data = { title: "Bandstand", body: "Repairs" };
    await services.resources.update(services.work, workspace, "note", { id, data, version: 1 });
    expect(await ids(workspace, { query: "harbour" })).toEqual([]);
    expect(await ids(workspace, { query: "bandstand repair" })).toEqual([id]);
    const aside = { ...data, aside: "only this" };
    await services.resources.update(services.work, workspace, "note", {
      id,
      data: aside,
      version: 2,
    });
    expect(await ids(workspace, { query: "bandstand" })).toEqual([id]);
    expect(await faults(workspace)).toEqual([]);
    await services.resources.update(services.work, workspace, "note", {
      id,
      data: { aside: "nothing else" },
      version: 3,
    });
    expect(await ids(workspace, { query: "bandstand" })).toEqual([]);
    await services.resources.update(services.work, workspace, "note", { id, data, version: 4 });
    expect(await ids(workspace, { query: "bandstand" })).toEqual([id]);
    await services.resources.delete(services.work, workspace, "note", id);
    for (const mode of ["fulltext", "vector", "hybrid"] as const) {
      expect(await ids(workspace, { query: "bandstand repairs", mode })).toEqual([]);
    }
    expect(await faults(workspace)).toEqual([]);
  });

  test("finds entries of an earlier build, and writes them again", async () => {
    const workspace = await workspaceOfNotes();
    const id = await make(workspace, { title: "Connected harbours", body: "VX-1741" });
    const type = await services.objectTypes.find(workspace, "note");
    if (type === undefined) throw new Error("the type is there");
    const terms = ["1741", "connect", "harbour", "vx", "vx-1741"];
    await services.database.write(async (writer) => {
      const entry = { terms, length: terms.length, checksum: 1 };
      await replaceEntries(writer, { workspaceId: workspace, number: type.number }, [
        { id, entry },
      ]);
      await writer.run(statement`update object_types
        set search_terms = 0, revision = revision + 1 where workspace_id = ${workspace}`);
    });
    const { database, indexes } = recordServices(services.database);
    // The form that only a current entry has is not found by the index yet.
    expect(await ids(workspace, { query: "VX1741" })).toEqual([]);
    for (const query of ["connections", "harbor harbours", "VX-17*", "vx-1741"]) {
      expect(await ids(workspace, { query }), query).toEqual([id]);
    }
    const stored = await objectTypeById(database.read, workspace, type.stored.id);
    if (stored === undefined) throw new Error("the type is stored");
    indexes.start(stored);
    await indexes.settled();
    for (const query of ["connections", "VX1741", "harbor"]) {
      expect(await ids(workspace, { query }), query).toEqual([id]);
    }
    const after = await objectTypeById(database.read, workspace, type.stored.id);
    expect(after?.search_terms).toBe(searchTermsVersion);
    expect(await faults(workspace)).toEqual([]);
  });

  test("has of records that were made at the same moment each one's own words", async () => {
    const workspace = await workspaceOfNotes();
    const other = services.work.onBehalfOf("0190a000-0000-7000-8000-00000000000b");
    const words = Array.from({ length: 60 }, (_, at) => `quay${String(at).padStart(2, "0")}x`);
    const outcomes = await Promise.allSettled(
      words.map((word, at) =>
        services.resources.create(at % 2 === 0 ? services.work : other, workspace, "note", {
          // Every third has nothing that is searched; the last ones want a code that is taken.
          ...(at % 3 === 0 ? { aside: word } : { title: word }),
          code: String(Math.min(at, 50)),
        }),
      ),
    );
    for (const [at, outcome] of outcomes.entries()) {
      const found = await ids(workspace, { query: words[at] ?? "" });
      if (outcome.status === "rejected") {
        expect(at).toBeGreaterThanOrEqual(50);
        expect(found).toEqual([]);
        continue;
      }
      const { id, created_at, created_by } = resourceIn(outcome.value);
      expect(found).toEqual(at % 3 === 0 ? [] : [id]);
      const { items } = await services.resources.history(
        services.work,
        { workspaceId: workspace, slug: "note", id },
        {},
        signal,
      );
      expect(items).toMatchObject([{ operation: "create", at: created_at, actor: created_by }]);
    }
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(51);
    expect(await faults(workspace)).toEqual([]);
  });

  test("follows batches, and what of them was refused", async () => {
    const workspace = await workspaceOfNotes();
    const scope = scopeOf(workspace);
    const made = await services.resources.batch.create(
      services.work,
      scope,
      batchOfCreation([
        { title: "Oak", code: "1" },
        { title: "Oak again", code: "1" },
        { title: "Ash", code: "2" },
        { title: 5 },
      ]),
    );
    expect(made.results.map(({ status }) => status)).toEqual([201, 409, 201, 422]);
    const [oak = "", , ash = ""] = made.results.map(({ id }) => String(id));
    expect(await ids(workspace, { query: "oak" })).toEqual([oak]);
    const changed = await services.resources.batch.update(
      services.work,
      scope,
      batchOfUpdate([
        { id: oak, version: 1, data: { title: "Elm" } },
        { id: ash, version: 9, data: { title: "Elm too" } },
      ]),
    );
    expect(changed.results.map(({ status }) => status)).toEqual([200, 409]);
    expect(await ids(workspace, { query: "elm" })).toEqual([oak]);
    expect(await ids(workspace, { query: "oak" })).toEqual([]);
    expect(await ids(workspace, { query: "ash" })).toEqual([ash]);
    await services.resources.batch.delete(services.work, scope, batchOfDeletion([oak, ash]));
    expect(await ids(workspace, { query: "elm ash" })).toEqual([]);
    expect(await faults(workspace)).toEqual([]);
  });

  test("follows an action", async () => {
    const workspace = await workspaceOfNotes();
    const id = await make(workspace, { title: "Before" });
    await services.resources.actions.execute(services.work, {
      workspace: { id: workspace, role: "tenant-admin" },
      slug: "note",
      id,
      action: "retitle",
      parameters: {},
      ifMatch: undefined,
    });
    expect(await ids(workspace, { query: "retitled" })).toEqual([id]);
    expect(await ids(workspace, { query: "before" })).toEqual([]);
  });

  test("is never ahead of records that were not written", async () => {
    const workspace = await workspaceOfNotes();
    const first = await make(workspace, { title: "Taken", code: "x" });
    // Side by side, so that SQLite makes one transaction of them.
    const outcomes = await Promise.allSettled([
      make(workspace, { title: "Sound", code: "y" }),
      make(workspace, { title: "Taken too", code: "x" }),
      services.resources.delete(services.work, workspace, "note", first, {
        ifMatch: { any: false, versions: [7] },
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await ids(workspace, { query: "taken" })).toEqual([first]);
    expect(await ids(workspace, { query: "sound" })).toHaveLength(1);
    expect(await faults(workspace)).toEqual([]);
  });

  test("is filled and emptied when what is searched changes", async () => {
    const workspace = await workspaceOfNotes();
    const id = await make(workspace, { title: "Lantern", body: "Candle", aside: "Match" });
    const { items } = await services.objectTypes.list(services.work, workspace, {});
    const typeId = items[0]?.id ?? "";
    const searching = async (...names: string[]): Promise<void> => {
      const properties = Object.fromEntries(
        Object.entries(note.properties).map(([name, property]) => [
          name,
          { ...property, searchable: names.includes(name) },
        ]),
      );
      await services.objectTypes.update(services.work, workspace, typeId, { properties });
      await services.indexes.settled();
    };
    await searching("aside", "title");
    expect(await ids(workspace, { query: "match" })).toEqual([id]);
    expect(await ids(workspace, { query: "candle" })).toEqual([]);
    // Misspelt, so that the words of old records must be known, too.
    expect(await ids(workspace, { query: "mattch", mode: "hybrid" })).toEqual([id]);
    await searching();
    expect(await ids(workspace, { query: "lantern match" })).toEqual([]);
    await searching("body");
    expect(await ids(workspace, { query: "candle" })).toEqual([id]);
    expect(await faults(workspace)).toEqual([]);
    expect(services.errors).toEqual([]);
  });

  /** The entry of a record. */
  function isOf(id: string): Statement {
    return byDialect({
      sqlite: statement`place = ${uuidNumber(id)}`,
      postgresql: statement`place = ${id}`,
    });
  }

  test("is found out of step by the doctor, and is in step when it was made again", async () => {
    const workspace = await workspaceOfNotes();
    const made = ["One", "Two", "Three", "Four"].map((title) => ({ title: `${title} candle` }));
    await services.resources.batch.create(services.work, scopeOf(workspace), batchOfCreation(made));
    const [four = "", three = "", two = ""] = await ids(workspace, { query: "candle" });
    const { database } = services;
    await database.write(async (writer) => {
      await writer.run(statement`delete from search_entries where ${isOf(four)}`);
      await writer.run(statement`update search_entries set checksum = 1 where ${isOf(three)}`);
      await writer.run(statement`delete from resources where id = ${two}`);
    });
    expect(await faults(workspace)).toEqual([["search-out-of-step", 3]]);
    for (const { stored } of await services.objectTypes.all(services.work, workspace)) {
      await services.indexes.refillSearch(stored, () => {});
    }
    expect(await faults(workspace)).toEqual([]);
    expect(await ids(workspace, { query: "candle" })).toHaveLength(3);
  });

  test("finds the few records of a common word that pass a filter, however old they are", async () => {
    const workspace = await workspaceOfNotes();
    const old = await make(workspace, { title: "Common candle", aside: "first" });
    for (let at = 0; at < 9; at += 1) {
      const many = Array.from({ length: 1_000 }, () => ({ title: "Common", aside: "later" }));
      await services.resources.batch.create(
        services.work,
        scopeOf(workspace),
        batchOfCreation(many),
      );
    }
    expect(await ids(workspace, { query: "common", limit: 3 })).toHaveLength(3);
    expect(await ids(workspace, { query: "common", where: { aside: "first" } })).toEqual([old]);
    // The rarer word counts, although the other one stands for its newest records only.
    expect(await ids(workspace, { query: "common candle", limit: 1 })).toEqual([old]);
    expect(await ids(workspace, { query: "common cand1e", limit: 5 })).toHaveLength(5);
  });

  test("finds the records that hold a word, whatever was written and in which order", async () => {
    const words = ["ant", "bee", "cat", "dog", "eel"];
    const text = fc.array(fc.constantFrom(...words), { maxLength: 4 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant("make" as const), words: text }),
      fc.record({ kind: fc.constant("change" as const), at: fc.nat(9), words: text }),
      fc.record({ kind: fc.constant("remove" as const), at: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const workspace = await workspaceOfNotes();
        const held: { id: string; version: number; words: readonly string[] }[] = [];
        for (const each of steps) {
          if (each.kind === "make") {
            const id = await make(workspace, { title: each.words.join(" ") });
            held.push({ id, version: 1, words: each.words });
            continue;
          }
          const at = held.length === 0 ? -1 : each.at % held.length;
          const record = held[at];
          if (record === undefined) continue;
          if (each.kind === "remove") {
            await services.resources.delete(services.work, workspace, "note", record.id);
            held.splice(at, 1);
            continue;
          }
          const { id, version } = record;
          const data = { body: each.words.join(", ") };
          const update = { id, version, data };
          await services.resources.update(services.work, workspace, "note", update);
          held[at] = { id, version: version + 1, words: each.words };
        }
        for (const word of words) {
          const expected = held.filter((record) => record.words.includes(word));
          const found = await ids(workspace, { query: word });
          expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        }
        expect(await faults(workspace)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
