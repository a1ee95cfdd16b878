import type { MappedEffect } from "#contract/events/webhook-sources.ts";
import { storageTarget } from "#contract/documents/upload-metadata.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isPathSegment } from "#lib/text/path-segment.ts";
import { MappingError } from "./mapping.ts";

/** Answers a request of the platform itself as one of a client: with the same checks. */
export type Answering = (request: Request) => Promise<Response>;

/** The key of a source, by whose rights its calls take effect. */
export interface EffectCaller {
  readonly workspaceId: string;
  readonly token: string;
  /** The `Idempotency-Key` of the effect: a repeated run has the effect of one. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** The outcome of an effect: the id of what it changed, or why it was refused. */
export interface EffectOutcome {
  readonly kind: string;
  readonly subject: string | null;
  readonly error: string | null;
  /** True for a refusal that may pass. */
  readonly mayPass: boolean;
}

interface EffectRequest {
  readonly kind: "upsert" | "action" | "document";
  readonly method: "PUT" | "POST";
  readonly path: string;
  readonly body: object | FormData;
  /** The id that the effect names itself. */
  readonly subject: string | null;
}

/** The name of a platform that receives a request in its own process. */
const ownUrl = "http://127.0.0.1";

/**
 * Sends an effect to the platform's own routes, with their checks of rights and content. Throws
 * MappingError for a name that no path can have.
 */
export async function sendEffect(
  fetch: Answering,
  caller: EffectCaller,
  effect: MappedEffect,
): Promise<EffectOutcome> {
  const { kind, method, path, body, subject } = requestOf(caller.workspaceId, effect);
  const isForm = body instanceof FormData;
  const headers = new Headers({ authorization: `Bearer ${caller.token}` });
  if (!isForm) headers.set("content-type", "application/json");
  if (kind === "document") headers.set("x-tenant-id", caller.workspaceId);
  if (method === "POST") headers.set("idempotency-key", caller.key);
  const response = await fetch(
    new Request(ownUrl + path, {
      method,
      headers,
      body: isForm ? body : JSON.stringify(body),
      signal: caller.signal,
    }),
  );
  const answer: unknown = JSON.parse(await response.text());
  const members = isJsonObject(answer) ? answer : {};
  if (response.ok) {
    const changed = subject ?? members["id"] ?? members["documentId"] ?? null;
    const id = typeof changed === "string" ? changed : null;
    return { kind, subject: id, error: null, mayPass: false };
  }
  const { status } = response;
  const mayPass = status >= 500 || status === 429 || members["retryable"] === true;
  return { kind, subject, error: refusalText(status, members), mayPass };
}

function requestOf(workspaceId: string, effect: MappedEffect): EffectRequest {
  const records = `/v4/data/resources/${workspaceId}`;
  if ("upsert" in effect) {
    const { type, property, value, data, replace } = effect.upsert;
    return {
      kind: "upsert",
      method: "PUT",
      path: `${records}${segments(type, "by", property, String(value))}`,
      body: replace === undefined ? { data } : { data, replace },
      subject: null,
    };
  }
  if ("action" in effect) {
    const { type, id, name, parameters = {} } = effect.action;
    return {
      kind: "action",
      method: "POST",
      path: `${records}${segments(type, id, "actions", name)}`,
      body: { parameters },
      subject: id,
    };
  }
  return {
    kind: "document",
    method: "POST",
    path: "/v4/data/documents/upload",
    body: formOf(workspaceId, effect.document),
    subject: null,
  };
}

function segments(...names: readonly string[]): string {
  const other = names.find((name) => !isPathSegment(name));
  if (other === undefined) return names.map((name) => `/${encodeURIComponent(name)}`).join("");
  throw new MappingError(
    `The mapping gave "${other}" as a name or a value, which no path can have`,
  );
}

function formOf(
  workspaceId: string,
  document: Extract<MappedEffect, { document: unknown }>["document"],
): FormData {
  const { filename, mediaType = "text/plain", text, base64 = "", fields = {} } = document;
  const form = new FormData();
  const all = { storage_target: storageTarget, processing_mode: "full", ...fields };
  form.set("tenant_id", workspaceId);
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  const content = text ?? Buffer.from(base64, "base64");
  form.set("files", new File([content], filename, { type: mediaType }));
  return form;
}

function refusalText(status: number, problem: Readonly<Record<string, unknown>>): string {
  const { code, detail, title, errors } = problem;
  const faults = Array.isArray(errors) ? errors.filter((fault) => isJsonObject(fault)) : [];
  const places = faults.map((fault) => `${String(fault["pointer"])} ${String(fault["detail"])}`);
  const [name = "", ...words] = [code, detail ?? title].filter((part) => typeof part === "string");
  return `${status} ${name}: ${[...words, ...places].join("; ")}`.slice(0, 1000);
}
