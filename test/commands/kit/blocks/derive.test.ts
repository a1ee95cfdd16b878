import { expect, test } from "vitest";
import { apiBlocks, commandBlocks, starterBlocks } from "#commands/kit/blocks/derive.ts";

const json = { type: "json" };
const base = { access: "tenant-staff", workspace: "path", source: "spec 1", summary: "Reads" };
const routes = {
  siteFiles: {
    get: { ...base, method: "GET", path: "/v4/files", reply: { type: "bytes" } },
  },
  things: { get: { ...base, method: "GET", path: "/v4/things", reply: json, source: "ours" } },
  health: {
    get: {
      ...base,
      method: "GET",
      path: "/v4/health",
      reply: json,
      access: "system-admin",
      workspace: "none",
    },
  },
} as never;
const command = (path: string, more: object = {}) => ({
  path,
  summary: path,
  arguments: [],
  options: {},
  ...more,
});
const table = {
  groups: [{ path: "thing", summary: "Manage things" }],
  commands: [
    command("thing list", { routes: ["GET /v4/things"] }),
    command("serve", { options: { "data-dir": { type: "string", description: "" } } }),
    command("define", { anyOptions: true }),
  ],
} as never;

test("a domain's block depends on its routes", () => {
  expect(apiBlocks(table, routes)).toMatchObject([
    {
      id: "api-site-files",
      name: "Site files",
      lane: "product",
      coupling: "external-with-adapter",
      readiness: "public-ready",
      packageProfile: "hybrid",
      reasons: ["Streams bytes or events: GET /v4/files"],
    },
    {
      id: "api-things",
      coupling: "external-safe",
      readiness: "preview",
      commands: ["thing list"],
      reasons: ["JSON over HTTP only", "Not in the specification: GET /v4/things"],
    },
    { id: "api-health", lane: "foundation", coupling: "internal-only", readiness: "internal" },
  ]);
});

test("a command's block has its group, and says where it runs", () => {
  expect(commandBlocks(table, routes)).toMatchObject([
    { id: "command-thing", summary: "Manage things", lane: "addon", routes: ["GET /v4/things"] },
    { id: "command-serve", lane: "dev", reasons: ["Runs on the platform's machine"] },
    { id: "command-define", reasons: [expect.anything(), "Refuses every call: define"] },
  ]);
});

test("a starter template has its types", () => {
  const template = { key: "planOffice", objectTypes: [{ slug: "site" }, {}] } as never;
  expect(starterBlocks([template])).toMatchObject([
    { id: "starter-plan-office", objectTypes: ["site"], kind: "template" },
  ]);
});
