import { expect, test } from "vitest";
import type { DocumentSearchAnswer } from "#contract/documents/search.ts";
import { raw } from "#server/database/statement.ts";
import { openAiModels, type ModelOptions } from "#server/models/openai-compatible.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { startModelServer, type ModelTestServer } from "#test/support/model-server.ts";
import {
  ada,
  application,
  createWorld,
  planning,
  untilDone,
  upload,
  wallFile,
  type World,
} from "../world.ts";

const signal = new AbortController().signal;
const subjects = [/dog|hound|puppy/gi, /wall|fence|barrier/gi, /rain|drain|flood/gi];

/** Vectors of subjects: "hound" is near to "dog", which shares no letter sequence with it. */
function meaning(text: string): number[] {
  return [0.01, ...subjects.map((words) => text.match(words)?.length ?? 0)];
}

const quick: ModelOptions = {
  limits: { totalMs: 500, silenceMs: 200, attempts: 1, retryMs: 1 },
  circuit: { failures: 1_000, openMs: 1 },
};

const modelOf = (server: ModelTestServer, name = "vectors-1") =>
  openAiModels({ baseUrl: server.url, embeddingModel: name }, quick);

async function uploaded(world: World, texts: Readonly<Record<string, string>>): Promise<string[]> {
  const ids: string[] = [];
  for (const [filename, text] of Object.entries(texts)) {
    const accepted = await upload(world, wallFile(text, filename));
    await untilDone(world, accepted.jobId);
    ids.push(accepted.documentId ?? "");
  }
  return ids;
}

const texts = {
  "one.txt": "The dog sleeps in the yard.",
  "two.txt": "The wall is 2.4 metres high.",
  "three.txt": "Rain drains to the harbour.",
};

function find(
  world: World,
  query: string,
  mode: "fulltext" | "vector" | "hybrid",
  where?: object,
): Promise<DocumentSearchAnswer> {
  const filter = where === undefined ? {} : { where: JSON.stringify(where) };
  const request = { query, mode, limit: 10, perDocument: 3, ...filter };
  return world.documents.searches.run(world.work, planning, request, signal);
}

const namesIn = ({ results }: DocumentSearchAnswer) => results.map(({ filename }) => filename);

describeInTurn("embeddings", (open) => {
  const worldOf = async (
    server: ModelTestServer,
    options: Parameters<typeof createWorld>[1] = {},
  ): Promise<World> => {
    // A killed platform has its own database: its late work must not reach the next test.
    const database = await open(options.isKilled === true ? {} : undefined);
    return createWorld(database, { models: modelOf(server), ...options });
  };

  test("find passages by meaning, alone and together with words", async () => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server);
    await uploaded(world, texts);
    await world.embed();
    expect(await world.embedding.progress(planning)).toEqual({
      model: "vectors-1",
      dimensions: 4,
      documents: 3,
      embedded: 3,
      state: "ready",
    });
    expect((await find(world, "hound", "fulltext")).results).toEqual([]);
    const near = await find(world, "hound", "vector");
    expect(near).toMatchObject({ mode: "vector", embedding: "vectors-1" });
    expect(near.results[0]).toMatchObject({
      filename: "one.txt",
      text: texts["one.txt"],
      page: 1,
      scores: { fulltext: null, vector: expect.closeTo(1, 1) },
    });
    const both = await find(world, "hound near the wall", "hybrid");
    expect(both).toMatchObject({ mode: "hybrid", embedding: "vectors-1" });
    expect(both.results[0]).toMatchObject({
      filename: "two.txt",
      scores: { fulltext: expect.any(Number), vector: expect.any(Number) },
    });
    expect(namesIn(both)).toContain("one.txt");
    // The name of the document is a part of what the model reads.
    expect(server.requests.flatMap(({ body }) => body.input)).toContain(`one\n${texts["one.txt"]}`);
  });

  const filters: readonly [string, object, readonly string[]][] = [
    ["a type", { mediaType: "text/plain" }, ["one.txt", "two.txt"]],
    ["another type", { mediaType: "application/pdf" }, []],
    ["a label", { "classification.label": "no-such-label" }, []],
    ["a date", { created_at: { $gt: "2100-01-01T00:00:00.000Z" } }, []],
    ["a field's value", { "fields.height": "2" }, []],
    ["a name", { filename: "two.txt" }, ["two.txt"]],
    ["the context", { "context.planning_application_id": application }, ["one.txt", "two.txt"]],
    ["another context", { "context.assess_case_id": ada }, []],
  ];
  test("are filtered in every mode", async () => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server);
    await uploaded(world, { "one.txt": "A dog at the wall.", "two.txt": "The wall of a dog." });
    await world.embed();
    for (const mode of ["fulltext", "vector", "hybrid"] as const) {
      for (const [what, where, names] of filters) {
        const answer = await find(world, "dog wall", mode, where);
        expect(answer.mode).toBe(mode);
        expect([what, new Set(namesIn(answer))]).toEqual([what, new Set(names)]);
      }
    }
  });

  test("are made again when the model changes, and words find meanwhile", async () => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server);
    await uploaded(world, texts);
    await world.embed();
    await world.stop();
    server.embedBy((text) => [...meaning(text), 0.02]);
    server.behave("fails");
    const { database } = world;
    const next = await createWorld(database, {
      models: modelOf(server, "vectors-2"),
      dataDirectory: world.dataDirectory,
    });
    await next.embed();
    expect(await next.embedding.progress(planning)).toMatchObject({
      model: "vectors-2",
      dimensions: 0,
      embedded: 0,
      state: "waiting",
      error: "The model endpoint failed: HTTP 500",
    });
    expect(namesIn(await find(next, "wall", "hybrid"))).toEqual(["two.txt"]);
    server.behave(undefined);
    await next.embed();
    const progress = { model: "vectors-2", dimensions: 5, embedded: 3, state: "ready" };
    expect(await next.embedding.progress(planning)).toMatchObject(progress);
    expect(namesIn(await find(next, "hound", "vector"))[0]).toBe("one.txt");
  });

  test("continue after a crash with the passages that are left", async () => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server, { isKilled: true });
    const sentence = "The wall of the yard needs a permit, as the officer has told the owner. ";
    await uploaded(world, {
      "long.txt": Array.from({ length: 900 }, (_, at) => `${at}: ${sentence}`).join("\n"),
    });
    let made = 0;
    server.embedBy((text) => ((made += 1) <= 64 ? meaning(text) : []));
    await world.embed();
    const first = server.requests[0]?.body.input ?? [];
    expect(first).toHaveLength(64);
    expect(await world.embedding.progress(planning)).toMatchObject({ embedded: 0 });
    await world.stop();
    server.embedBy(meaning);
    const before = server.requests.length;
    const next = await createWorld(world.database, { models: modelOf(server) });
    // On PostgreSQL another platform may still be at work, until its lease is over.
    next.advance(4 * 60_000);
    await next.embed();
    const rest = server.requests.slice(before).flatMap(({ body }) => body.input ?? []);
    expect(await next.embedding.progress(planning)).toMatchObject({ embedded: 1 });
    const rows = await world.database.read.all<{ count: number }>(
      raw("select count(*) as count from document_chunks"),
    );
    expect(first.length + rest.length).toBe(Number(rows[0]?.count));
    expect(rest.filter((text) => first.includes(text))).toEqual([]);
  });

  const faults = ["not-json", "too-many-requests", "fails", "lies", "silent", "redirects"] as const;
  test.each(faults)("wait while the endpoint does this: %s", async (fault) => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server);
    await uploaded(world, { "one.txt": texts["one.txt"] });
    server.behave(fault);
    await world.embed();
    const state = { embedded: 0, state: "waiting", error: expect.stringMatching(/endpoint/) };
    expect(await world.embedding.progress(planning)).toMatchObject(state);
    server.behave(undefined);
    await world.embed();
    expect(await world.embedding.progress(planning)).toMatchObject({ state: "ready" });
    // Words answer while the question has no vector.
    server.behave(fault);
    const answer = await find(world, "dogs", "hybrid");
    const note = expect.stringMatching(/endpoint/);
    expect(answer).toMatchObject({ mode: "hybrid", embedding: "hashed", note });
    expect(namesIn(answer)).toEqual(["one.txt"]);
    expect(namesIn(await find(world, "dogs", "vector"))).toEqual(["one.txt"]);
  });

  const wrong: readonly [string, (text: string) => readonly unknown[], RegExp][] = [
    ["another size", () => [1, 2], /2 numbers instead of 4/],
    ["no numbers", () => [null, "x"], /cannot be read/],
    ["zeros", () => [0, 0, 0, 0], /no direction/],
    ["too large numbers", () => [1e308, 1e308, 1e308, 1e308], /no direction/],
    ["nothing", () => [], /0 numbers/],
  ];
  test.each(wrong)("store no vectors of %s", async (_what, embed, error) => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server);
    await uploaded(world, { "one.txt": texts["one.txt"] });
    await world.embed();
    server.embedBy(embed);
    await uploaded(world, { "two.txt": texts["two.txt"] });
    await world.embed();
    const waiting = { embedded: 1, state: "waiting", error: expect.stringMatching(error) };
    expect(await world.embedding.progress(planning)).toMatchObject(waiting);
    server.embedBy(meaning);
    expect(namesIn(await find(world, "hound", "vector"))).toEqual(["one.txt"]);
  });

  test("leave out a passage that the model refuses", async () => {
    await using server = await startModelServer({
      embed: meaning,
      refuses: (text) => text.includes("poison"),
    });
    const world = await worldOf(server);
    await uploaded(world, { ...texts, "four.txt": "The dog ate poison." });
    await world.embed();
    expect(await world.embedding.progress(planning)).toMatchObject({ embedded: 4, state: "ready" });
    expect(namesIn(await find(world, "hound", "vector"))[0]).toBe("one.txt");
    expect(namesIn(await find(world, "hound", "vector"))).not.toContain("four.txt");
    expect(namesIn(await find(world, "poison", "hybrid"))).toContain("four.txt");
  });

  test("wait when the model refuses every text", async () => {
    await using server = await startModelServer({ embed: meaning, refuses: () => true });
    const world = await worldOf(server);
    await uploaded(world, texts);
    await world.embed();
    const state = { embedded: 0, state: "waiting" };
    expect(await world.embedding.progress(planning)).toMatchObject(state);
  });

  test("are removed with their document, and with its old text", async () => {
    await using server = await startModelServer({ embed: meaning });
    const world = await worldOf(server);
    const [one = "", two = ""] = await uploaded(world, texts);
    await world.embed();
    expect(namesIn(await find(world, "hound", "vector"))[0]).toBe("one.txt");
    const scope = { id: planning, role: "tenant-admin" } as const;
    const receipt = await world.documents.delete(world.work, scope, one);
    expect(receipt.removed).toMatchObject({ chunks: 1, vectors: 1 });
    expect(namesIn(await find(world, "hound", "vector"))).not.toContain("one.txt");
    const job = await world.documents.ragIndex(world.work, planning, { documentId: two }, () => {});
    await untilDone(world, job.jobId);
    await world.embed();
    expect(await world.embedding.progress(planning)).toMatchObject({ documents: 2, embedded: 2 });
    expect(namesIn(await find(world, "fence", "vector"))[0]).toBe("two.txt");
  });
});
