import { Refused, wholeList, type Answer, type Json } from "../answers.ts";
import {
  isJson,
  objectBody,
  oneOf,
  optional,
  pathWorkspace,
  type Call,
  type OtherRoute,
} from "./call.ts";

const backends = ["postgresql", "blob", "search"];
const accepted = [...backends, "mongodb", "documentdb", "all"];
const base = "/v4/data/resources/{tenantId}/storage";

function statusBody({ dialect }: Call): unknown {
  switch (dialect.names) {
    case "camel":
      return { backends: backends.map((backend) => ({ backend, status: "ok" })) };
    case "snake":
      return { backends: Object.fromEntries(backends.map((name) => [name, { status: "ok" }])) };
    case "short":
      return { status: "ready" };
  }
}

function doctorBody({ dialect }: Call): unknown {
  switch (dialect.names) {
    case "camel":
      return { ok: true, findings: [] };
    case "snake":
      return { healthy: true, checks: [{ name: "rows", passed: true }] };
    case "short":
      return [];
  }
}

/** Results of a provisioning or a schema sync; only their states are named (spec 2.11). */
function sync(call: Call, state: string): Answer {
  pathWorkspace(call);
  const body = objectBody(call);
  oneOf(accepted, body["backend"] ?? "all");
  const isDry = body["dryRun"] === true || body["dry_run"] === true;
  const results = backends.map((name): Json => ({
    ...(call.dialect.names === "short" ? {} : { backend: name }),
    state: isDry ? "planned" : state,
    ...optional(call.dialect, { actions: [] }),
  }));
  return { kind: "list", items: results, page: wholeList };
}

/** Storage and its indexes (spec 4.3). */
export const storageRoutes: readonly OtherRoute[] = [
  {
    method: "GET",
    path: base,
    answer: (call) => {
      pathWorkspace(call);
      return { kind: "value", value: statusBody(call) };
    },
  },
  {
    method: "GET",
    path: `${base}/doctor`,
    answer: (call) => {
      pathWorkspace(call);
      if (call.dialect.without.includes("doctor")) {
        throw new Refused(call.dialect.absent, "not deployed");
      }
      return { kind: "value", value: doctorBody(call) };
    },
  },
  {
    method: "POST",
    path: `${base}/provision`,
    answer: (call) => sync(call, "provisioned"),
  },
  {
    method: "POST",
    path: `${base}/sync-schema`,
    answer: (call) => sync(call, "already_applied"),
  },
  {
    method: "POST",
    path: "/v4/platform/tenants/{tenantId}/resourceapi/index-plan",
    answer: (call) => {
      const { types } = pathWorkspace(call);
      const slugs = objectBody(call, ["objectTypes"])["objectTypes"];
      if (!Array.isArray(slugs) || slugs.length === 0) throw new Refused(400, "objectTypes");
      const unknown = slugs.find((slug: unknown) => !types.has(String(slug)));
      if (unknown !== undefined) throw new Refused(404, `no Object Type ${String(unknown)}`);
      const plan = slugs.map((slug: unknown): Json => ({ objectType: slug, actions: [] }));
      if (call.dialect.lists === "bare") return { kind: "value", value: plan };
      const name = { camel: "objectTypes", snake: "plan", short: "plans" };
      const dryRun = optional(call.dialect, { dryRun: true });
      const value = { ...dryRun, [name[call.dialect.names]]: plan };
      return { kind: "value", value: isJson(value) ? value : {} };
    },
  },
];
