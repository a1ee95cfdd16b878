import type { Domain } from "../index.ts";
import type { BytesBody, Method, WorkspaceSource } from "../route.ts";
import type { PlainBody, PlainReply, PlainRoute } from "./plain-route.ts";

/** The domains that a page of the library loads at once: records, files, documents and chat. */
export const pageDomains = ["resources", "documents", "chat"] as const satisfies readonly Domain[];

/** A route as a line: its name, method, path, facts and body, each without spaces. */

const facts = {
  isPublic: "P",
  idempotent: "I",
  many: "M",
  asks: "A",
  takesRest: "R",
  hasQuery: "Q",
  hasEvents: "E",
} as const satisfies Partial<Record<keyof PlainRoute, string>>;

/** The start of many paths, for which a line has `#`. */
const tenantPath = "platform/tenants/{tenantId}";

const methods: Readonly<Record<string, Method>> = {
  G: "GET",
  P: "POST",
  U: "PUT",
  A: "PATCH",
  D: "DELETE",
};

const workspaces: Readonly<Record<string, WorkspaceSource>> = {
  n: "none",
  p: "path",
  h: "header",
  t: "tenant_id",
};

const replies: Readonly<Record<string, PlainReply["type"]>> = {
  j: "json",
  b: "bytes",
  e: "events",
  "0": "empty",
};

const anyBytes: BytesBody = { type: "bytes", contentType: "application/octet-stream" };

/** The name of the route that a line describes. */
export function nameIn(line: string): string {
  return line.slice(0, line.indexOf(" "));
}

/** The route that a line describes. */
export function routeOf(line: string): PlainRoute {
  const [, method = "", path = "", [workspace = "", reply = "", ...flags] = "", body] =
    line.split(" ");
  const route: PlainRoute = {
    method: methods[method] ?? "GET",
    path: `/v4/${path.replace("#", tenantPath)}`,
    workspace: workspaces[workspace] ?? "none",
    reply: { type: replies[reply] ?? "json" },
    ...(body === undefined ? {} : { body: bodyOf(body) }),
  };
  const given = Object.entries(facts).filter(([, letter]) => flags.includes(letter));
  return Object.assign(route, Object.fromEntries(given.map(([fact]) => [fact, true])));
}

function bodyOf(text: string): PlainBody {
  if (text === "b") return anyBytes;
  if (text.startsWith("m")) return { type: "multipart", files: text.slice(1) };
  return { type: "json", ...(text === "o" ? { isOptional: true } : {}) };
}

/** The line of a route. */
export function lineOf(name: string, route: PlainRoute): string {
  const { method, path, workspace, reply, body } = route;
  const letterOf = (letters: Readonly<Record<string, string>>, value: string): string =>
    Object.entries(letters).find(([, one]) => one === value)?.[0] ?? "";
  const flags = Object.entries(facts).flatMap(([fact, letter]) =>
    route[fact as keyof typeof facts] === true ? [letter] : [],
  );
  const code = [letterOf(workspaces, workspace), letterOf(replies, reply.type), ...flags].join("");
  const place = path.replace("/v4/", "").replace(tenantPath, "#");
  const parts = [name, letterOf(methods, method), place, code];
  return [...parts, ...(body === undefined ? [] : [bodyText(body)])].join(" ");
}

function bodyText(body: PlainBody): string {
  if (body.type === "json") return body.isOptional === true ? "o" : "j";
  if (body.type === "multipart") return `m${body.files}`;
  if (body.contentType === anyBytes.contentType) return "b";
  throw new TypeError(`The contract has a body of ${body.contentType}`);
}
