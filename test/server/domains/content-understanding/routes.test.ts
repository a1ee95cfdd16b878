import { describe, expect } from "vitest";
import { apiCases, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { definition } from "../classifiers/world.ts";
import { analyzer, invoiceType } from "../document-types/world.ts";
import { headers } from "./plans.ts";

const base = "/v4/data/documents/content-understanding";

let count = 0;

function newManifest() {
  count += 1;
  const key = `set-${count}`;
  return {
    version: 1,
    classifiers: { [key]: definition },
    analyzers: { [key]: analyzer },
    documentTypes: { [key]: { ...invoiceType, analyzer: key } },
  };
}

const manifest = newManifest();

const good: readonly ApiCase[] = [
  {
    name: "say what is possible here",
    as: "tenant-viewer",
    method: "GET",
    path: `${base}/capabilities`,
    headers,
    expect: {
      status: 200,
      body: { methods: expect.arrayContaining(["pattern", "model"]), models: { chat: null } },
    },
  },
  {
    name: "plan a manifest",
    as: "tenant-viewer",
    method: "POST",
    path: `${base}/plans`,
    headers,
    body: manifest,
    expect: {
      status: 200,
      body: {
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        actions: [
          { kind: "classifiers", action: "create", currentVersion: 0 },
          { kind: "analyzers", action: "create" },
          { kind: "documentTypes", action: "create" },
        ],
      },
    },
  },
  {
    name: "list operations",
    as: "tenant-viewer",
    method: "GET",
    path: `${base}/operations?count=true`,
    headers,
    expect: { status: 200, body: { items: [], total: 0 } },
  },
];

describePlatform("content understanding", (the) => {
  apiCases(the, good);

  describe("is refused", () => {
    apiCases(the, [
      ...forStrangers(good),
      {
        name: "to staff, which may not apply",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/operations`,
        headers,
        body: manifest,
        expect: { status: 403, code: "permission-denied" },
      },
      {
        name: "without a digest",
        as: "tenant-builder",
        method: "POST",
        path: `${base}/operations`,
        headers: { ...headers, "operation-id": "x" },
        body: manifest,
        expect: { status: 422, pointers: ["#/header/If-Match"] },
      },
      {
        name: "with an analyzer that does not exist",
        as: "tenant-viewer",
        method: "POST",
        path: `${base}/plans`,
        headers,
        body: { version: 1, documentTypes: { bill: { ...invoiceType, analyzer: "none" } } },
        expect: { status: 422, pointers: ["#/documentTypes/bill/analyzer"] },
      },
      {
        name: "without such an operation",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/operations/none`,
        headers,
        expect: { status: 404, code: "not-found" },
      },
    ]);
  });
});
