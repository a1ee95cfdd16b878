import { ensureLedger } from "../records/routes/ledger.ts";
import type { RouteTable } from "./route-case.ts";

/** Spec 4.3: health, storage and indexes. */
export const storageCases: RouteTable = {
  "health.resources": {
    good: [{ name: "answers callers without a token", answers: { status: "ok" } }],
    bad: [{ name: "an unknown name", query: "?deep=1", pointers: ["#/query/deep"] }],
  },
  "storage.status": {
    good: [{ name: "names the backends", answers: { tenantId: "{tenant}" } }],
    bad: [{ name: "an unknown name", query: "?deep=1", pointers: ["#/query/deep"] }],
  },
  "storage.doctor": {
    good: [{ name: "finds nothing", answers: { ok: true, complete: true, findings: [] } }],
    bad: [{ name: "an unknown name", query: "?fix=1", pointers: ["#/query/fix"] }],
  },
  "storage.provision": {
    good: [
      {
        name: "asks each backend",
        body: {},
        answers: {
          dryRun: false,
          results: ["postgresql", "documentdb", "blob", "search"].map((backend) => ({
            backend,
            state: "provisioned",
          })),
        },
      },
      {
        name: "takes mongodb for documentdb",
        body: { backend: "mongodb", dryRun: true },
        answers: {
          dryRun: true,
          results: [{ backend: "documentdb", state: "skipped", detail: "It exists already" }],
        },
      },
    ],
    bad: [
      { name: "an unknown backend", body: { backend: "tape" }, pointers: ["#/backend"] },
      { name: "an unknown member", body: { force: true }, pointers: ["#/force"] },
    ],
  },
  "storage.syncSchema": {
    before: ensureLedger,
    good: [
      {
        name: "finds types in line",
        body: { backend: "documentdb" },
        answers: { results: [{ objectType: "ledger", state: "already_applied", actions: [] }] },
      },
    ],
    bad: [
      { name: "an unknown backend", body: { backend: "tape" }, pointers: ["#/backend"] },
      { name: "a word for a flag", body: { dryRun: "yes" }, pointers: ["#/dryRun"] },
    ],
  },
  "storage.indexPlan": {
    before: ensureLedger,
    good: [
      {
        name: "plans",
        body: { objectTypes: ["ledger"] },
        answers: { dryRun: true, objectTypes: [{ objectType: "ledger", missing: [] }] },
      },
    ],
    bad: [
      { name: "no types", body: { objectTypes: [] }, pointers: ["#/objectTypes"] },
      {
        name: "more than 1,000 types",
        body: { objectTypes: Array.from({ length: 1_001 }, () => "ledger") },
        pointers: ["#/objectTypes"],
      },
      {
        name: "a slug of 256 characters",
        body: { objectTypes: ["x".repeat(256)] },
        pointers: ["#/objectTypes/0"],
      },
      {
        name: "a type that is not there",
        body: { objectTypes: ["ledger", "nope"] },
        pointers: ["#/objectTypes/1"],
      },
      {
        name: "apply and dryRun: it is always a dry run",
        body: { objectTypes: ["ledger"], apply: true, dryRun: false },
        pointers: ["#/apply", "#/dryRun"],
      },
    ],
  },
};
