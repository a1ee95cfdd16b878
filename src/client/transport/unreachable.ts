import { catalogError, type CatalogError } from "#contract/errors.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { isStreamed, type Outgoing } from "./outgoing.ts";

/** E201 for a request without a response; with `outgoing`, the hint says how to check it. */
export function unreachable(origin: string, reason: string, outgoing?: Outgoing): CatalogError {
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  const outcome = outgoing === undefined ? undefined : outcomeWords(outgoing);
  const hint = outcome === undefined ? sentence : `${sentence}. ${outcome}`;
  return catalogError("E201", { url: origin }, { hint });
}

/** The hint for a write that may have been carried out. */
export const unknownWords = "The outcome is unknown: look before you send it again";

export const lookAtDocuments = "Look before you send it again: " + "`svc docs list`";

const uploadRoute = "/v4/data/documents/upload";
const records = "/v4/data/resources/{tenantId}/{objectType}";
const fileRoute = `${records}/{id}/files/{propertyName}`;
const objectTypes = "/v4/data/resources/object-types";
const children = "/v4/platform/tenants/{parentId}/children";

/** Commands that show whether a write was carried out; `{name}` is the path's value. */
const looks: Readonly<Record<string, string>> = {
  [`POST ${records}`]: "svc resources list {objectType}",
  [`PUT ${records}/{id}`]: "svc resources get {objectType} {id}",
  [`DELETE ${records}/{id}`]: "svc resources get {objectType} {id}",
  [`POST ${records}/{id}/actions/{action}`]: "svc resources get {objectType} {id}",
  [`DELETE ${fileRoute}`]: "svc resources get {objectType} {id}",
  [`POST ${records}/batch/create`]: "svc resources list {objectType}",
  [`POST ${records}/batch/update`]: "svc resources list {objectType}",
  [`POST ${records}/batch/delete`]: "svc resources list {objectType}",
  [`POST ${objectTypes}`]: "svc types diff",
  [`PATCH ${objectTypes}/{objectTypeId}`]: "svc types diff",
  [`POST ${objectTypes}/batch`]: "svc types diff",
  "POST /v4/platform/tenants": "svc workspace list --all",
  [`POST ${children}`]: "svc workspace list --all",
  [`POST ${children}/{childId}/bootstrap-admin`]: "svc workspace list",
  "DELETE /v4/data/documents/records/{documentId}": "svc docs get {documentId}",
  "POST /v4/data/documents/jobs/{jobId}/retry": "svc docs job {jobId}",
  "POST /v4/data/documents/jobs/{jobId}/cancel": "svc docs job {jobId}",
  "PATCH /v4/identity/me/profile": "svc publicapi get /v4/identity/me",
};

/** The facts of a request that its unknown outcome depends on. */
export type SentRequest = Pick<Outgoing, "method" | "url" | "asks" | "body" | "route">;

function outcomeWords(outgoing: Outgoing): string | undefined {
  return isCutShort(outgoing)
    ? "The request broke off before its end and was not accepted"
    : unknownOutcome(outgoing);
}

function isCutShort({ asks, body }: Outgoing): boolean {
  return isStreamed(body) && !body.allSent && !asks;
}

/** The next step after an aborted request; one that was not sent whole has no effect. */
export function abandonedOutcome(outgoing: Outgoing): string | undefined {
  return isCutShort(outgoing) ? undefined : unknownOutcome(outgoing);
}

/** The next step after a sent request without a usable response; undefined if it only reads. */
export function unknownOutcome(sent: SentRequest): string | undefined {
  const { asks, body, route } = sent;
  if (asks) return undefined;
  if (route === fileRoute && isStreamed(body)) {
    return (
      "All bytes had been sent: the outcome is unknown. Look at the record before you send them " +
      "again: `svc resources get <type> <id>`"
    );
  }
  if (route === uploadRoute) {
    return `All bytes had been sent: the outcome is unknown. ${lookAtDocuments}`;
  }
  const look = lookOf(sent);
  return look === undefined ? unknownWords : `${unknownWords}: \`${look}\``;
}

function lookOf({ method, route, url }: SentRequest): string | undefined {
  const look = looks[`${method} ${route}`];
  if (look === undefined) return undefined;
  // The platform's address may have a path prefix before the route.
  const names = route.split("/");
  const segments = (URL.parse(url, "http://localhost")?.pathname ?? "").split("/");
  const values = segments.slice(segments.length - names.length + 1);
  const valueOf = (name: string): string =>
    shellWord(decodeURIComponent(values[names.indexOf(`{${name}}`) - 1] ?? `<${name}>`));
  return look.replace(/\{(\w+)\}/g, (_whole, name: string) => valueOf(name));
}
