import { expect, test } from "vitest";
import type { CapabilityEntry } from "#contract/access/capabilities.ts";
import { capabilities, type Capability } from "#contract/access/permissions.ts";
import { openApi } from "#contract/openapi/openapi.ts";
import { roleIncludes, roles, type Role } from "#contract/access/roles.ts";
import { isJsonObject } from "#lib/json/value.ts";
import {
  caller,
  describePlatform,
  field,
  testBaseUrl,
  type Answered,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { newKey } from "../members/keys/new-key.ts";

/** A caller, as the catalog sees it. */
interface Subject {
  readonly name: string;
  readonly call: Caller;
  readonly workspace: string;
  /** The role in the workspace; undefined for a stranger. */
  readonly role?: Role;
  readonly isAnonymous?: true;
  readonly isSystemAdmin?: true;
  readonly kind?: "key" | "app";
}

const evaluatePath = "/v4/platform/capabilities/evaluate";
const someId = "01900000-0000-7000-8000-000000000001";

/** Routes that would end the access of the caller, or the workspace: they stop at a fault. */
const ending: ReadonlySet<string> = new Set([
  "identity.revokeTokens",
  "members.leave",
  "workspaceRemoval.delete",
]);

/** The stream of changes lasts: it stops at a cursor that is none. */
const lasting = "realtime.events";

/** Nine callers: every kind of account, key and token. */
async function subjectsOf(the: TestPlatform): Promise<Subject[]> {
  const { tenant: workspace, child } = the.workspaces;
  const members = roles.map((role): Subject => ({
    name: role,
    call: the.as(role),
    workspace,
    role,
  }));
  const user = await the.platform.services.access.user(the.users["tenant-admin"].oid);
  if (user === undefined) throw new TypeError("the user is missing");
  const { token } = await the.platform.services.tokens.issueAccessToken({
    issuer: `${testBaseUrl}/auth`,
    user,
    lifetimeMs: 60 * 60 * 1000,
    scope: "openid",
    clientId: "portal",
    appWorkspaceId: workspace,
  });
  const key = await newKey(the, workspace, { role: "tenant-builder" });
  return [
    { name: "anonymous", call: the.as("nobody"), workspace, isAnonymous: true },
    { name: "a member of another workspace", call: the.as("outsider"), workspace },
    {
      name: "the installation's administrator",
      call: the.as("system-admin"),
      workspace: child,
      isSystemAdmin: true,
    },
    ...members,
    { name: "a key", call: key.call, workspace, role: "tenant-builder", kind: "key" },
    {
      name: "an app's token",
      call: caller(the.answer, token),
      workspace,
      role: "tenant-admin",
      kind: "app",
    },
  ];
}

/** The rights by the catalog alone. */
function isListed(entry: CapabilityEntry, subject: Subject): boolean {
  const { requiredRole, workspace, peopleOnly, appsToo, systemAdminToo } = entry;
  if (requiredRole === "public") return true;
  if (subject.isAnonymous === true) return false;
  if (subject.kind !== undefined && peopleOnly === true) return false;
  if (subject.kind === "app" && workspace !== true && appsToo !== true) return false;
  if (requiredRole === "system-admin") return subject.isSystemAdmin === true;
  if (workspace !== true) return true;
  if (subject.isSystemAdmin === true && systemAdminToo === true) return true;
  const least = roles.find((role) => role === requiredRole);
  if (subject.role === undefined) return false;
  return least === undefined || roleIncludes(subject.role, least);
}

const described = openApi({ version: "0" });

function valueAt(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((at, name) => field(at, name), value);
}

/** A value that fits a JSON schema well enough to reach the service. */
function sampleOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return {};
  const { $ref } = schema;
  if (typeof $ref === "string") return sampleOf(valueAt(described, ...$ref.split("/").slice(1)));
  const { type, format, pattern } = schema;
  const options = schema["enum"] ?? schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(options)) return "enum" in schema ? options[0] : sampleOf(options[0]);
  if ("const" in schema) return schema["const"];
  if (type === "array") return [sampleOf(schema["items"])];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return false;
  if (type === "string") {
    if (format === "uuid") return someId;
    if (format === "email") return "new@example.org";
    if (format === "uri") return "https://example.org/back";
    const shape = new RegExp(typeof pattern === "string" ? pattern : "");
    const isFit = (text: string) => shape.test(text);
    return ["sample", "documents"].find(isFit) ?? "sample-1";
  }
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[String(name)])]));
}

function formOf(workspace: string): FormData {
  const form = new FormData();
  form.set("tenant_id", workspace);
  form.set("storage_target", "resourceapi");
  form.set("processing_mode", "store_only");
  return form;
}

function send({ capability, definition }: Capability, subject: Subject): Promise<Answered> {
  const { workspace, call } = subject;
  const path = definition.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === "tenantId" || name === "parentId") return workspace;
    return name === "page" ? "1" : name.endsWith("d") ? someId : "sample";
  });
  const isGiven = definition.workspace === "tenant_id";
  const headers: Record<string, string> =
    definition.workspace === "header" ? { "x-tenant-id": workspace } : {};
  const query = ending.has(capability)
    ? "?unknown=1"
    : isGiven && definition.body === undefined
      ? `?tenant_id=${workspace}${capability === lasting ? "&cursor=none" : ""}`
      : "";
  const { body } = definition;
  const sent = (): object => {
    if (body === undefined) return {};
    if (body.type === "multipart") return { rawBody: formOf(workspace) };
    if (body.type === "bytes") return { rawBody: "bytes" };
    const place = ["requestBody", "content", "application/json", "schema"];
    const method = definition.method.toLowerCase();
    const schema = valueAt(described, "paths", definition.path, method, ...place);
    const sample = Object(sampleOf(schema)) as object;
    return { body: isGiven ? { ...sample, tenant_id: workspace } : sample };
  };
  return call.call(definition.method, path + query, { headers, ...sent() });
}

/** True if the caller's rights did not refuse the request; another refusal came after them. */
function wasAllowed({ status, json }: Answered, capability: string): boolean {
  // Only the signature of a sender opens this route, and the call has none.
  if (capability === "webhookSources.receive") return status === 401;
  const code = field(json, "code");
  if (status === 401 || code === "permission-denied") return false;
  return field(json, "detail") !== "The workspace does not exist, or you are not a member of it";
}

async function evaluated(subject: Subject): Promise<Map<string, boolean> | undefined> {
  const names = capabilities.map(({ capability }) => capability);
  const body = { capabilities: names };
  const options = { headers: { "x-tenant-id": subject.workspace } };
  const { status, json } = await subject.call.post(evaluatePath, body, options);
  if (status !== 200) return undefined;
  const decisions = field(json, "decisions") as { capability: string; allowed: boolean }[];
  return new Map(decisions.map(({ capability, allowed }) => [capability, allowed]));
}

describePlatform(
  "the rights of each caller",
  (the) => {
    test("are those of the catalog and of evaluate, on each route", async () => {
      const { json } = await the().as("tenant-viewer").get("/v4/platform/capabilities/catalog");
      const entries = new Map(
        (field(json, "items") as CapabilityEntry[]).map((entry) => [entry.capability, entry]),
      );
      const differences: string[] = [];
      let compared = 0;
      for (const subject of await subjectsOf(the())) {
        const decisions = await evaluated(subject);
        const isMember = subject.role !== undefined || subject.isSystemAdmin === true;
        expect(decisions !== undefined).toBe(isMember);
        for (const each of capabilities) {
          const { capability } = each;
          const entry = entries.get(capability);
          if (entry === undefined) throw new Error(`${capability} is not in the catalog`);
          const answered = await send(each, subject);
          const facts = {
            listed: isListed(entry, subject),
            evaluated: decisions?.get(capability),
            got: wasAllowed(answered, capability),
          };
          compared += 1;
          const isSame = facts.listed === facts.got && (facts.evaluated ?? facts.got) === facts.got;
          const words = `${JSON.stringify(facts)} ${answered.status} ${answered.text.slice(0, 200)}`;
          if (!isSame) differences.push(`${capability} for ${subject.name}: ${words}`);
        }
      }
      expect(differences).toEqual([]);
      expect(compared).toBe(9 * capabilities.length);
    });
  },
  { limits: { rateRequests: 1_000_000 } },
);
