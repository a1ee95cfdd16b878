import { beforeAll, describe, expect, test } from "vitest";
import { documentSearchAnswer, type PassageResult } from "#contract/documents/search.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { describePlatform, field } from "#test/support/platform.ts";

const path = "/v4/data/documents/search";
const wall = "The wall at 18 Quay Street is 2.4 metres high.";
const longName = "notes-of-the-visit-to-the-site-2026-11-05.txt";
const german = "Der Antrag VX-1741 für die Wohnungen wurde genehmigt, und das Dach ist nicht hoch.";
const drainage = "Surface water drains to the harbour through two outfalls.";

describePlatform("document search", (the) => {
  let wallId: string;
  let application: string;

  const search = async (query: Record<string, string>): Promise<PassageResult[]> => {
    const { tenant } = the().workspaces;
    const url = `/v4/data/documents/search?${new URLSearchParams(query).toString()}`;
    const found = await the()
      .as("tenant-viewer")
      .get(url, { headers: { "X-Tenant-Id": tenant } });
    if (found.status !== 200) throw new Error(found.text);
    return documentSearchAnswer.parse(found.json).results;
  };

  beforeAll(async () => {
    const context = await makeContext(the());
    application = context.application;
    const accepted = await uploaded(the(), context, `${wall}\n`, "survey.txt");
    wallId = accepted.documentId ?? "";
    await uploaded(the(), context, `${drainage}\n`, "harbour-wall-report.txt");
    await uploaded(the(), context, "Le café ferme à midi.\n", "opening-hours.txt");
    await uploaded(the(), context, "The hedge was seen.\n", longName);
    const seen = "A kestrel observation at the mast, with the weather of the day. ".repeat(20);
    const log = Array.from({ length: 250 }, (_, at) => `${at}. ${seen}`).join("\n\n");
    await uploaded(the(), context, log, "kestrels.txt");
    await uploaded(the(), context, "A kestrel nests here.\n", "letter.txt");
    await uploaded(the(), context, `${"Minutes of the meeting. ".repeat(200)}`, "minutes.txt");
    await uploaded(the(), context, `${german}\n`, "bescheid.txt");
  });

  test("finds a passage by other forms of its words, with its place and matches", async () => {
    const [first] = await search({ query: "walls in metre" });
    expect(first).toMatchObject({
      documentId: wallId,
      documentNumber: expect.stringMatching(/^DOC-/),
      filename: "survey.txt",
      page: 1,
      span: { start: 0, end: wall.length },
      text: wall,
      scores: { fulltext: expect.any(Number), vector: null },
    });
    expect(first?.matches?.map(({ start, end }) => wall.slice(start, end))).toEqual([
      "wall",
      "metres",
    ]);
  });

  test("counts the name of the document", async () => {
    const found = await search({ query: "harbour wall report" });
    expect(found.map(({ filename }) => filename)).toEqual([
      "harbour-wall-report.txt",
      "survey.txt",
    ]);
  });

  test("wants phrases in quotes, and leaves out what a hyphen excludes, in each mode", async () => {
    const names = async (query: string, mode = "hybrid") => {
      const found = await search({ query, mode, perDocument: "1" });
      return [...new Set(found.map(({ filename }) => filename))];
    };
    for (const mode of ["hybrid", "fulltext"]) {
      expect(await names('"kestrel nests"', mode)).toEqual(["letter.txt"]);
      expect(await names("kestrel -nests", mode)).toEqual(["kestrels.txt"]);
      expect(await names('kestrel -"observation at the mast"', mode)).toEqual(["letter.txt"]);
      expect(await names('"nests kestrel"', mode)).toEqual([]);
    }
    expect(await names('"CAFE ferme" -nests', "vector")).toEqual(["opening-hours.txt"]);
    const [first] = await search({ query: '"quay street"' });
    expect(first?.matches?.map(({ start, end }) => wall.slice(start, end))).toEqual([
      "Quay",
      "Street",
    ]);
  });

  test.each([
    ["Wohnung", "bescheid.txt"],
    ["genehmigte Anträge", "bescheid.txt"],
    ["VX-17*", "bescheid.txt"],
    ["VX1741", "bescheid.txt"],
    ["meters", "survey.txt"],
    [`hedges ${"and the people of the town ".repeat(147)}`.slice(0, 4_000), longName],
  ])(
    "finds forms, spellings and beginnings of words, and takes long queries: %s",
    async (query, name) => {
      const [first] = await search({ query });
      expect(first?.filename).toBe(name);
    },
  );

  test("finds a document by the whole of its name", async () => {
    for (const query of [longName, longName.replace(".txt", "")]) {
      expect((await search({ query })).map(({ filename }) => filename)).toEqual([longName]);
    }
  });

  test("finds other documents than one that has all of the best passages", async () => {
    const found = await search({ query: "kestrel observation", perDocument: "1" });
    expect(found.map(({ filename }) => filename)).toEqual(["kestrels.txt", "letter.txt"]);
  });

  test("gives a few passages of each document, and at most limit ones", async () => {
    expect(await search({ query: "minutes", limit: "100" })).toHaveLength(3);
    expect(await search({ query: "minutes", perDocument: "1" })).toHaveLength(1);
    expect(await search({ query: "minutes wall", limit: "1" })).toHaveLength(1);
  });

  const filters: readonly [string, Record<string, unknown>, number][] = [
    ["the media type", { mediaType: "text/plain" }, 2],
    ["another media type", { mediaType: "application/pdf" }, 0],
    ["a name", { filename: { $startsWith: "harbour" } }, 1],
    ["a time", { created_at: { $gt: "2000-01-01T00:00:00.000Z" } }, 2],
    ["a later time", { created_at: { $gt: "2100-01-01T00:00:00.000Z" } }, 0],
    ["a label", { "classification.label": "no-such-label" }, 0],
    ["a field's value", { "fields.no-such-field": "x" }, 0],
    ["a missing field", { "fields.no-such-field": null }, 2],
    ["either of two", { $or: [{ documentId: "" }, { filename: "survey.txt" }] }, 1],
  ];
  test.each(filters)("filters by %s", async (_what, where, count) => {
    const found = await search({ query: "wall", where: JSON.stringify(where) });
    expect(found).toHaveLength(count);
  });

  test("filters by the upload's context", async () => {
    const where = JSON.stringify({ "context.planning_application_id": application });
    expect(await search({ query: "wall", where })).toHaveLength(2);
  });

  test("names the mode, and the vectors of letters without a model", async () => {
    const answer = async (mode: string) => {
      const { tenant } = the().workspaces;
      const headers = { "X-Tenant-Id": tenant };
      return the().as("tenant-viewer").get(`${path}?query=wall&mode=${mode}`, { headers });
    };
    const hybrid = (await answer("hybrid")).json;
    expect([field(hybrid, "mode"), field(hybrid, "embedding")]).toEqual(["hybrid", "hashed"]);
    const fulltext = (await answer("fulltext")).json;
    expect([field(fulltext, "mode"), field(fulltext, "embedding")]).toEqual([
      "fulltext",
      undefined,
    ]);
  });

  test("finds misspelt words by their letters, and marks what it found", async () => {
    const misspelt = "drainege of surfcae water";
    const [first] = await search({ query: misspelt });
    expect(first).toMatchObject({
      text: drainage,
      scores: { fulltext: expect.any(Number), vector: expect.any(Number) },
    });
    expect(first?.matches?.map(({ start, end }) => drainage.slice(start, end))).toEqual([
      "Surface",
      "water",
      "drains",
    ]);
    expect(await search({ query: "drainege surfcae", mode: "fulltext" })).toEqual([]);
    const [near] = await search({ query: "drainege surfcae", mode: "vector" });
    expect(near).toMatchObject({ text: drainage, scores: { fulltext: null } });
    // A correct word needs no correction.
    expect((await search({ query: "wall" })).every(({ scores }) => scores?.vector === null)).toBe(
      true,
    );
  });

  test("counts a corrected word less than a written one", async () => {
    const [written] = await search({ query: "outfalls" });
    const [corrected] = await search({ query: "outfalsl" });
    expect(corrected?.text).toBe(written?.text);
    const [less, more] = [corrected, written].map((each) => each?.scores?.fulltext ?? 0);
    expect(less).toBeGreaterThan(0);
    expect(less).toBeLessThan(more ?? 0);
  });

  test("finds accented words without their accents", async () => {
    expect((await search({ query: "cafe" })).map(({ filename }) => filename)).toEqual([
      "opening-hours.txt",
    ]);
  });

  describe("refuses", () => {
    apiCases(the, [
      {
        name: "an unknown filter, with its place",
        as: "tenant-viewer",
        method: "GET",
        path: `${path}?query=wall&where=${encodeURIComponent('{"colour":"red"}')}`,
        headers: { "X-Tenant-Id": "{tenant}" },
        expect: { status: 422, code: "validation-failed", pointers: ["#/query/where/colour"] },
      },
      {
        name: "a blank query, an unknown mode and a wrong limit",
        as: "tenant-viewer",
        method: "GET",
        path: `${path}?query=%20&mode=magic&limit=0`,
        headers: { "X-Tenant-Id": "{tenant}" },
        expect: {
          status: 422,
          code: "validation-failed",
          pointers: ["#/query/query", "#/query/mode", "#/query/limit"],
        },
      },
      {
        name: "a stranger",
        as: "outsider",
        method: "GET",
        path: `${path}?query=wall`,
        headers: { "X-Tenant-Id": "{tenant}" },
        expect: { status: 404, code: "not-found", excludes: ["Quay"] },
      },
      {
        name: "nothing, but finds nothing in another workspace",
        as: "outsider",
        method: "GET",
        path: `${path}?query=wall`,
        headers: { "X-Tenant-Id": "{other}" },
        expect: { status: 200, body: { results: [] } },
      },
    ]);
  });
});
