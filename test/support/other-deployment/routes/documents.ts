import { Refused, type Answer, type Json } from "../answers.ts";
import type { Dialect } from "../dialects.ts";
import {
  addDocument,
  type StoredDocument,
  type StoredJob,
  type StoredWorkspace,
} from "../state.ts";
import {
  headerWorkspace,
  objectBody,
  optional,
  param,
  textOf,
  timesOf,
  type Call,
  type OtherRoute,
} from "./call.ts";

const base = "/v4/data/documents";
const modes = ["classification", "rag", "full", "store_only"];
const contexts = ["planning_application_id", "business_request_id", "assess_case_id"];
/** The only other metadata (spec 2.5). */
const metadata =
  "category source enrichment_level context_data tenant_slug council_name org_id document_id conversation_id workflow source_service correlation_id async_mode".split(
    " ",
  );
/** The wire names of the key pair are not shown. */
const keyName = /^(?:app|vertical|workflow)_?key$/i;

type Form = Awaited<ReturnType<Response["formData"]>>;

async function formOf({ bytes, headers }: Call): Promise<Form> {
  try {
    return await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch {
    throw new Refused(400, "the body is no form");
  }
}

function one(form: Form, name: string): string {
  const [value, ...more] = form.getAll(name);
  if (typeof value !== "string" || more.length > 0) throw new Refused(400, `one ${name}, please`);
  return value;
}

function requireFields(form: Form, workspace: StoredWorkspace): void {
  if (one(form, "tenant_id").toLowerCase() !== workspace.id)
    throw new Refused(400, "tenant_id is another one");
  if (one(form, "storage_target") !== "resourceapi") throw new Refused(400, "storage_target");
  if (!modes.includes(one(form, "processing_mode"))) throw new Refused(400, "processing_mode");
  const expected = ["files", "tenant_id", "storage_target", "processing_mode"];
  const known = [...expected, ...contexts, ...metadata];
  const names = [...form.keys()];
  const stranger = names.find((name) => !known.includes(name) && !keyName.test(name));
  if (stranger !== undefined) throw new Refused(400, `${stranger} is not accepted`);
  const keys = names.filter((name) => keyName.test(name));
  const isPair = keys.length >= 2 && keys.every((name) => one(form, name).trim() !== "");
  if (!contexts.slice(0, 2).some((name) => form.has(name)) && !isPair) {
    throw new Refused(400, "a context is missing");
  }
}

async function upload(call: Call): Promise<Answer> {
  const workspace = headerWorkspace(call);
  const form = await formOf(call);
  requireFields(form, workspace);
  const files = form.getAll("files").filter((file) => typeof file !== "string");
  const [first] = files;
  if (first === undefined) throw new Refused(400, "no file came");
  const document = addDocument(call.state, workspace, {
    filename: first.name,
    bytes: Buffer.from(await first.arrayBuffer()),
    mode: one(form, "processing_mode"),
  });
  const { id, jobId } = document;
  const told: Json = call.dialect.names === "camel" ? { jobId, documentId: id } : { jobId };
  return { kind: "value", value: told, status: 202 };
}

/** A state in the dialect's spelling. */
function spelled(state: string, { states }: Dialect): string {
  switch (states) {
    case "upper":
      return state.toUpperCase();
    case "title":
      return state.replaceAll(/(?:^|_)[a-z]/g, (start) => start.replace("_", " ").toUpperCase());
    case "kebab":
      return state.replaceAll("_", "-");
    case "synonym":
      return { running: "processing", queued: "pending", failed: "error" }[state] ?? state;
  }
}

const stageNames = ["store", "classify", "index"];

/** Each read shows a later state: the id alone, then unnamed stages, then the end. */
function jobBody({ dialect }: Call, job: StoredJob): Json {
  const reads = (job.reads += 1);
  const member = { camel: "status", snake: "state", short: "status" }[dialect.names];
  if (reads === 1 && dialect.optional === "missing") return { jobId: job.id };
  const ended = reads > 2;
  const bad = ended && job.fails;
  const stages = stageNames.map((name, index) => ({
    ...(dialect.optional === "sent" ? { name } : {}),
    [member]: spelled(
      ended ? (bad && index === 1 ? "failed" : dialect.done) : index === 0 ? "running" : "queued",
      dialect,
    ),
    ...(dialect.optional === "null" ? { name: null, progress: null, error: null } : {}),
  }));
  // A failed stage decides, whatever the job says of itself (spec 7.2).
  const state = ended ? dialect.done : "running";
  return {
    jobId: job.id,
    [member]: spelled(state, dialect),
    stages,
    ...optional(dialect, { documentId: job.documentId, percentCompleted: ended ? 100 : 40 }),
  };
}

function documentOf(call: Call): StoredDocument {
  const target = call.url.searchParams.get("storage_target");
  if (target !== "resourceapi") throw new Refused(400, "storage_target must be resourceapi");
  const id = param(call, "documentId");
  const compact = (text: string): string => text.replaceAll("-", "").toLowerCase();
  const document = [...headerWorkspace(call).documents.values()].find(
    (entry) => compact(entry.id) === compact(id),
  );
  if (document === undefined) throw new Refused(404, `no document ${id}`);
  return document;
}

function recordBody({ dialect }: Call, document: StoredDocument): Json {
  const { id, filename, bytes } = document;
  const times = timesOf(dialect, Date.UTC(2026, 2, 1));
  switch (dialect.names) {
    case "camel":
      return { documentId: id, filename, storagePath: `files/${id}`, ...times };
    case "snake": {
      const more = optional(dialect, { mime_type: "text/plain", size: bytes.length });
      const analysis = optional(dialect, { classification: { label: "plan" }, fields: {} });
      return {
        document_id: id,
        file_name: filename,
        storage_path: `files/${id}`,
        ...more,
        ...analysis,
      };
    }
    case "short":
      return { id };
  }
}

/** A family that the deployment may lack answers as its other missing routes do. */
function requires(family: "content" | "deletion", answer: OtherRoute["answer"]) {
  return (call: Call): Answer | Promise<Answer> => {
    if (call.dialect.without.includes(family)) {
      throw new Refused(call.dialect.absent, "not deployed");
    }
    return answer(call);
  };
}

/** Documents and their jobs (spec 4.1). */
export const documentRoutes: readonly OtherRoute[] = [
  { method: "POST", path: `${base}/upload`, answer: upload },
  {
    method: "GET",
    path: `${base}/jobs/{jobId}`,
    answer: (call) => {
      const job = headerWorkspace(call).jobs.get(param(call, "jobId"));
      if (job === undefined) throw new Refused(404, "no such job");
      return { kind: "value", value: jobBody(call, job) };
    },
  },
  {
    method: "GET",
    path: `${base}/records/{documentId}`,
    answer: (call) => ({ kind: "value", value: recordBody(call, documentOf(call)) }),
  },
  {
    method: "GET",
    path: `${base}/records/{documentId}/content`,
    answer: requires("content", (call) => ({ kind: "bytes", ...documentOf(call) })),
  },
  {
    method: "DELETE",
    path: `${base}/records/{documentId}`,
    answer: requires("deletion", (call) => {
      const { id } = documentOf(call);
      headerWorkspace(call).documents.delete(id);
      return { kind: "done", value: { status: "deleted" } };
    }),
  },
  {
    method: "POST",
    path: `${base}/classify-by-url`,
    answer: (call) => {
      const url = textOf(objectBody(call), "url");
      return {
        kind: "value",
        value: { url, label: "plan", ...optional(call.dialect, { confidence: 0.8 }) },
      };
    },
  },
  {
    method: "POST",
    path: `${base}/rag-index`,
    answer: (call) => {
      const { ids } = call.state;
      const { documents, jobs } = headerWorkspace(call);
      const given = Object.values(objectBody(call)).map(String);
      const document = [...documents.values()].find(({ id }) =>
        given.some((text) => text === id || text === `files/${id}`),
      );
      if (document === undefined) throw new Refused(404, "no such document");
      const id = ids.next();
      jobs.set(id, { id, documentId: document.id, reads: 0, fails: false });
      return { kind: "value", value: { jobId: id }, status: 202 };
    },
  },
];
