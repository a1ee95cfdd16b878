import { shellWord } from "#lib/text/shell-word.ts";
import type { Outgoing } from "./outgoing.ts";

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

/** The command that shows whether a write was carried out; a page has none. */
export function lookOf({
  method,
  route,
  url,
}: Pick<Outgoing, "method" | "route" | "url">): string | undefined {
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
