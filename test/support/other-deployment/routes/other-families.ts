import { Refused, wholeList, type Answer, type Json } from "../answers.ts";
import { addRecord } from "../state.ts";
import {
  knownWorkspace,
  objectBody,
  optional,
  param,
  pathWorkspace,
  textOf,
  type Call,
  type OtherRoute,
} from "./call.ts";

function queryWorkspace(call: Call) {
  const id = call.url.searchParams.get("tenant_id");
  if (id === null) throw new Refused(400, "tenant_id is missing");
  return knownWorkspace(call, id);
}

function requireFamily(call: Call, family: "geo" | "readiness"): void {
  if (call.dialect.without.includes(family)) throw new Refused(call.dialect.absent, "not deployed");
}

function createApp(call: Call): Answer {
  const body = objectBody(call);
  const key = body["key"] ?? body["name"];
  if (typeof key !== "string") throw new Refused(400, "key is missing");
  const records = pathWorkspace(call, "companyTenantId").records.get("tenant-vertical-enrollment");
  if (records === undefined) throw new Refused(404, "no enrollments");
  const data = { ...body, key, status: body["status"] ?? "pending" };
  const { id, version } = addRecord(call.state, records, data);
  const value = call.dialect.names === "camel" ? { id, version, data } : { id, ...data };
  return { kind: "created", value, id };
}

function provisioningJob(call: Call): Json {
  const { provisioning } = pathWorkspace(call, "appTenantId");
  const id = param(call, "jobId");
  const job = provisioning.get(id);
  if (job === undefined) throw new Refused(404, "no such job");
  if (call.url.searchParams.get("targetTenantId")?.toLowerCase() !== job.target) {
    throw new Refused(400, "targetTenantId is another one");
  }
  job.reads += 1;
  const status = job.reads > 1 ? "ready" : "running";
  const { states } = call.dialect;
  const spelled = states === "upper" ? status.toUpperCase() : status;
  return { jobId: id, status: spelled, ...optional(call.dialect, { steps: [] }) };
}

/** Apps, sign-in registrations, capabilities, workflows and the rest (spec 4.4 to 4.6). */
export const otherRoutes: readonly OtherRoute[] = [
  {
    method: "POST",
    path: "/v4/platform/tenants/{companyTenantId}/apps",
    answer: createApp,
  },
  {
    method: "POST",
    path: "/v4/platform/tenants/{appTenantId}/apps/{key}/provisioning-jobs",
    answer: (call) => {
      const { id, provisioning } = pathWorkspace(call, "appTenantId");
      const given = objectBody(call)["targetTenantId"];
      const target = knownWorkspace(call, typeof given === "string" ? given : id).id;
      const jobId = call.state.ids.next();
      provisioning.set(jobId, { target, reads: 0 });
      return { kind: "value", value: { jobId }, status: 202 };
    },
  },
  {
    method: "GET",
    path: "/v4/platform/tenants/{appTenantId}/apps/{key}/provisioning-jobs/{jobId}",
    answer: (call) => ({ kind: "value", value: provisioningJob(call) }),
  },
  {
    method: "POST",
    path: "/v4/platform/capabilities/evaluate",
    answer: (call) => {
      objectBody(call);
      return { kind: "value", value: { allowed: true } };
    },
  },
  {
    method: "GET",
    path: "/v4/platform/capabilities/catalog",
    answer: () => ({
      kind: "list",
      items: [{ key: "resources.read" }, { key: "documents.upload" }],
      page: wholeList,
    }),
  },
  {
    method: "POST",
    path: "/v4/platform/provisioning/idp-apps",
    answer: (call) => {
      objectBody(call);
      const clientId = call.state.ids.next();
      call.state.registrations.add(clientId);
      return { kind: "created", value: { clientId } };
    },
  },
  {
    method: "POST",
    path: "/v4/platform/provisioning/idp-apps/{clientId}/rotate-secret",
    answer: (call) => {
      const clientId = param(call, "clientId");
      if (!call.state.registrations.has(clientId)) throw new Refused(404, "not registered");
      return { kind: "value", value: { clientId, clientSecret: "rotated-secret" } };
    },
  },
  {
    method: "DELETE",
    path: "/v4/platform/provisioning/idp-apps/{clientId}",
    answer: (call) => {
      if (!call.state.registrations.delete(param(call, "clientId"))) {
        throw new Refused(404, "not registered");
      }
      return { kind: "done" };
    },
  },
  {
    method: "GET",
    path: "/v4/workflows/runtime/{workflowKey}/status",
    answer: (call) => {
      queryWorkspace(call);
      return { kind: "value", value: { status: "operator_required" } };
    },
  },
  {
    method: "POST",
    path: "/v4/workflows/runtime-requests",
    answer: (call) => {
      const names = ["tenant_id", "workflow_key", "display_name", "reason"];
      const body = objectBody(call, names);
      knownWorkspace(call, textOf(body, "tenant_id"));
      textOf(body, "workflow_key");
      return { kind: "created", value: { status: "accepted" } };
    },
  },
  {
    method: "GET",
    path: "/v4/integrations/builder/readiness",
    answer: (call) => {
      requireFamily(call, "readiness");
      queryWorkspace(call);
      const keys = (call.url.searchParams.get("workflow_keys") ?? "").split(",");
      const items = keys.map((key) => ({ workflow_key: key, ready: true }));
      return { kind: "list", items, page: wholeList };
    },
  },
  {
    method: "POST",
    path: "/v4/geo/resolve-location",
    answer: (call) => {
      requireFamily(call, "geo");
      textOf(objectBody(call), "query");
      const items = [{ name: "Harbour", lat: 1.5, lon: 2.5 }];
      return { kind: "list", items, page: wholeList };
    },
  },
  {
    method: "POST",
    path: "/v4/realtime/negotiate",
    answer: () => ({ kind: "value", value: { url: "wss://harbour.example/live" } }),
  },
  {
    method: "POST",
    path: "/v4/webhooks/{source}",
    answer: (call) => {
      if (["endpoints", "sources"].includes(param(call, "source")))
        throw new Refused(404, "no such source");
      objectBody(call);
      return { kind: "done" };
    },
  },
];
