import { describe, expect } from "vitest";
import { apiCases, forStaff, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { definition, examples, newClassifier, newTrainedClassifier, of, trained } from "./world.ts";

const classifiers = "/v4/data/documents/classifiers";
const headers = { "x-tenant-id": "{tenant}" };
const own = `${classifiers}/{key}`;
const some = { examples: examples.slice(0, 4) };
const unknown = "0192f000-0000-7000-8000-00000000ffff";

/** The good request of each route, with the role that it needs. */
const good: readonly ApiCase[] = [
  {
    name: "lists classifiers",
    as: "tenant-viewer",
    method: "GET",
    path: `${classifiers}?limit=500&count=true`,
    headers,
    before: newClassifier,
    expect: {
      status: 200,
      body: {
        items: expect.arrayContaining([expect.objectContaining({ displayName: "Harbour papers" })]),
      },
    },
  },
  {
    name: "reads a classifier",
    as: "tenant-viewer",
    method: "GET",
    path: own,
    headers,
    before: newClassifier,
    expect: {
      status: 200,
      body: { key: "{key}", threshold: 0.5, version: 1, training: { status: "untrained" } },
      headers: { etag: '"1"' },
    },
  },
  {
    name: "replaces a classifier",
    as: "tenant-builder",
    method: "PUT",
    path: own,
    headers: { ...headers, "if-match": '"1"' },
    body: { ...definition, threshold: 0.8 },
    before: newClassifier,
    expect: { status: 200, body: { threshold: 0.8, version: 2 } },
  },
  {
    name: "deletes a classifier",
    as: "tenant-builder",
    method: "DELETE",
    path: own,
    headers,
    before: newTrainedClassifier,
    expect: { status: 200, body: { key: "{key}", removed: true } },
    after: async (the) => {
      const list = await the.as("tenant-viewer").get(`${classifiers}?limit=500`, of(the));
      expect(list.status).toBe(200);
    },
  },
  {
    name: "adds examples",
    as: "tenant-builder",
    method: "POST",
    path: `${own}/examples`,
    headers,
    body: some,
    before: newClassifier,
    expect: { status: 201, body: { added: 4, total: 4 } },
  },
  {
    name: "lists examples, newest first",
    as: "tenant-viewer",
    method: "GET",
    path: `${own}/examples?limit=2&count=true`,
    headers,
    before: newTrainedClassifier,
    expect: {
      status: 200,
      body: { items: [{ source: "given" }, { source: "given" }], total: 18, hasNextPage: true },
    },
  },
  {
    name: "trains again",
    as: "tenant-builder",
    method: "POST",
    path: `${own}/trainings`,
    headers,
    before: newTrainedClassifier,
    expect: { status: 202, body: { training: { status: "queued", modelVersion: 1 } } },
    after: async (the, { json }) => {
      const read = await trained(the, String(field(json, "key")));
      expect(read.json).toMatchObject({ training: { modelVersion: 2 } });
    },
  },
  {
    name: "classifies a text with a rule before any training",
    as: "tenant-viewer",
    method: "POST",
    path: `${own}/classifications`,
    headers,
    body: { text: "NOTICE TO MARINERS\nBy order of the harbour board." },
    before: newClassifier,
    expect: { status: 200, body: { label: "notice", method: "rule", modelVersion: null } },
  },
];

/** A refusal does not depend on the model, which takes a second to train. */
const toRefuse = good.map((wanted): ApiCase =>
  wanted.before === newTrainedClassifier ? { ...wanted, before: newClassifier } : wanted,
);

describePlatform("classifiers", (the) => {
  apiCases(the, good);

  describe("are refused", () => {
    apiCases(the, [
      ...forStrangers(toRefuse),
      ...forStaff(toRefuse),
      ...good
        .filter(({ path, method }) => path.includes("{key}") && method !== "PUT")
        .map((wanted): ApiCase => {
          const { after: _after, before: _before, headers: given = {}, ...rest } = wanted;
          return {
            ...rest,
            headers: given,
            name: `when unknown: ${wanted.name}`,
            path: wanted.path.replace("{key}", "none"),
            expect: { status: 404, code: "not-found" },
          };
        }),
      {
        name: "with faulty labels",
        as: "tenant-builder",
        method: "PUT",
        path: `${classifiers}/faulty`,
        headers,
        body: { ...definition, threshold: 2, labels: [{ key: "A b" }], extra: 1 },
        expect: { status: 422, pointers: ["#/threshold", "#/labels/0/key", "#/extra"] },
      },
      {
        name: "with a label twice",
        as: "tenant-builder",
        method: "PUT",
        path: `${classifiers}/twice`,
        headers,
        body: { ...definition, labels: [{ key: "a" }, { key: "a" }] },
        expect: { status: 422, pointers: ["#/labels"] },
      },
      {
        name: "with another version than the current one",
        as: "tenant-builder",
        method: "PUT",
        path: own,
        headers: { ...headers, "if-match": '"7"' },
        body: definition,
        before: newClassifier,
        expect: { status: 412, code: "precondition-failed" },
      },
      {
        name: "with examples of an unknown label",
        as: "tenant-builder",
        method: "POST",
        path: `${own}/examples`,
        headers,
        body: { examples: [...some.examples, { label: "other", text: "x" }] },
        before: newClassifier,
        expect: { status: 422, pointers: ["#/examples/4/label"] },
      },
      {
        name: "without an example of this id",
        as: "tenant-builder",
        method: "DELETE",
        path: `${own}/examples/${unknown}`,
        headers,
        before: newClassifier,
        expect: { status: 404, code: "not-found" },
      },
    ]);
  });
});
