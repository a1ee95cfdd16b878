import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { openApi, type OpenApiDocument } from "#contract/openapi/openapi.ts";
import { problemTypes } from "#contract/problems.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { cleanEnvironment } from "#test/support/environment.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly "x-required-role": string;
}
interface Document extends OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

let document: Document;

beforeAll(() => {
  document = openApi({ version: "1.2.3" }) as Document;
});

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`the document lacks ${method} ${path}`);
  return found;
}

test("has every route of the contract, and nothing else", () => {
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const declared = Object.values(routes).flatMap((domain) =>
    Object.values<RouteDefinition>(domain).map((route) => `${route.method} ${route.path}`),
  );
  expect(described.toSorted()).toEqual(declared.toSorted());
});

test("names each operation by domain and route", () => {
  expect(operation("get", "/v4/identity/me")).toMatchObject({
    operationId: "identity_me",
    tags: ["identity"],
    summary: "The current identity",
  });
});

test("describes the role that a route requires", () => {
  const create = operation("post", "/v4/data/resources/{tenantId}/{objectType}");
  expect(create["x-required-role"]).toBe("tenant-staff");
  expect(create.description).toContain("Needs the role tenant-staff in the workspace.");
});

test("requires a token except on public routes", () => {
  expect(document["security"]).toEqual([{ accessToken: [] }]);
  expect(operation("get", "/v4/data/resources/health").security).toEqual([]);
  expect(operation("get", "/v4/identity/me").security).toBeUndefined();
});

test("reports where the workspace is named, and when the form may name it instead", () => {
  const header = (method: string, path: string) =>
    operation(method, path).parameters?.find(({ name }) => name === "X-Tenant-Id");
  expect(header("get", "/v4/data/documents/records")).toMatchObject({
    in: "header",
    required: true,
  });
  expect(header("post", "/v4/data/documents/upload")).toMatchObject({ required: false });
  expect(header("get", "/v4/data/resources/schema/{tenantId}")).toBeUndefined();
});

test("describes If-Match only where it guards a change", () => {
  const guards = (method: string, path: string) => {
    const { parameters = [], responses } = operation(method, path);
    return [parameters.some(({ name }) => name === "If-Match"), "412" in responses];
  };
  const record = "/v4/data/resources/{tenantId}/{objectType}/{id}";
  expect(guards("put", record)).toEqual([true, true]);
  expect(guards("post", `${record}/actions/{action}`)).toEqual([true, true]);
  expect(guards("delete", "/v4/data/documents/records/{documentId}")).toEqual([true, true]);
  expect(guards("patch", "/v4/identity/me/profile")).toEqual([false, false]);
});

test("describes requests in all forms that a client may send", () => {
  const path = "/v4/data/resources/{tenantId}/{objectType}";
  expect(operation("get", path).parameters).toContainEqual({
    name: "limit",
    in: "query",
    required: false,
    description: "Items per page, 1 to 500",
    schema: { type: "integer", minimum: 1, maximum: 500 },
  });
  // A default is optional on the way in and always there on the way out.
  const { ActionDefinition, LinkType, LinkTypeInput } = document.components.schemas;
  expect(LinkTypeInput ?? LinkType).toMatchObject({ required: ["name", "targetObjectType"] });
  expect(ActionDefinition).toBeDefined();
});

test("has both representations of a job, and the stream of a chat", () => {
  const job = operation("get", "/v4/data/documents/jobs/{jobId}");
  expect(job.responses["200"]).toMatchObject({
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/DocumentJob" } },
      "text/event-stream": { schema: { $ref: "#/components/schemas/DocumentJob" } },
    },
  });
  const stream = operation("post", "/v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}");
  expect(stream.responses["200"]).toMatchObject({
    content: { "text/event-stream": { schema: { $ref: "#/components/schemas/ChatEvent" } } },
  });
});

test("describes every status that an operation is refused with", () => {
  const described = Object.keys(document.components.responses).map((name) => name.slice(-3));
  const statuses = new Set(Object.values(problemTypes).map(({ status }) => String(status)));
  // No operation's own: header fields that are not read, and a caller who is gone.
  for (const status of ["431", "499"]) statuses.delete(status);
  expect(described.toSorted()).toEqual([...statuses].toSorted());
});

test("describes the routes that may take too long", () => {
  const list = operation("get", "/v4/data/resources/{tenantId}/{objectType}");
  expect(list.responses).toHaveProperty("504");
  expect(operation("get", "/v4/identity/me").responses).not.toHaveProperty("504");
});

test("refers to no component that is not there", () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]);
  const missing = names.filter((name) => !(String(name) in document.components.schemas));
  expect(missing).toEqual([]);
  expect(text).not.toContain("$defs");
});

test("has no fault under a public linter's strict rules", async () => {
  const directory = await temporaryDirectory("openapi");
  const file = join(directory, "openapi.json");
  await Bun.write(file, JSON.stringify(document));
  await Bun.write(join(directory, "redocly.yaml"), "extends: [recommended-strict]\n");
  // The specification has `object-types/{objectTypeId}` too: a workspace's id is a UUID, which
  // keeps them apart, but the linter compares paths by their shape alone. The method keeps the
  // files and the actions of a record apart from `by/{property}/{value}`.
  const files = "{objectType}~1{id}~1files~1{propertyName}";
  const actions = "{objectType}~1{id}~1actions~1{action}";
  // The id of a record is a UUID too, and not the word `imports`.
  const progress = "{objectType}~1imports~1{importId}";
  const imports = [progress, `${progress}~1rows`];
  const paths = ["query", "search", "storage", files, actions, ...imports].map(
    (name) => `#/paths/~1v4~1data~1resources~1{tenantId}~1${name}`,
  );
  const known = { "no-ambiguous-paths": paths };
  await Bun.write(
    join(directory, ".redocly.lint-ignore.yaml"),
    Bun.YAML.stringify({ "openapi.json": known }),
  );
  const linter = resolve("node_modules/@redocly/cli/bin/cli.js");
  const child = Bun.spawn([process.execPath, linter, "lint", file, "--format=json"], {
    cwd: directory,
    env: cleanEnvironment({
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      // The linter keeps a cache there, which goes with the test's own directory.
      TMPDIR: directory,
    }),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  const report: unknown = JSON.parse(stdout.slice(stdout.indexOf("{")));
  expect(report).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  expect(exitCode).toBe(0);
}, 60_000);
