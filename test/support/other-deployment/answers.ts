import type { Dialect } from "./dialects.ts";
import type { WireAnswer } from "./wire.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The answer of a route, before the dialect spells it. */
export type Answer =
  | {
      readonly kind: "list";
      readonly items: readonly Json[];
      readonly page: Page;
      /** The name of its items in a dialect that uses one. */
      readonly noun?: string;
    }
  /** A made thing; a short dialect returns its `id` only. */
  | { readonly kind: "created"; readonly value: Json; readonly id?: string }
  | { readonly kind: "value"; readonly value: unknown; readonly status?: number }
  /** A change with nothing to say but, in some dialects, `value`. */
  | { readonly kind: "done"; readonly value?: Json }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly filename: string }
  | { readonly kind: "events"; readonly frames: readonly string[] }
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "empty" };

/** The page of a list that has none. */
export const wholeList: Page = { page: 1, limit: Infinity, cursor: undefined };

/** The page that a list's request asked for. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  /** The place of the first item; wins over `page`. */
  readonly cursor: string | undefined;
}

/** A request that the deployment does not serve. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  415: "Unsupported Media Type",
  501: "Not Implemented",
};

export function refusal({ status, message }: Refused, dialect: Dialect): WireAnswer {
  const title = titles[status] ?? "Error";
  switch (dialect.errors) {
    case "html": {
      const body = `<!DOCTYPE html><html><head><title>${status} ${title}</title></head><body><h1>${message}</h1></body></html>`;
      return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
    }
    case "text":
      return { status, headers: { "content-type": "text/plain" }, body: `${title}: ${message}\n` };
    case "message":
      return json({ status, message }, status);
    case "error-object":
      return json({ error: { code: title.replaceAll(" ", ""), message } }, status);
    case "problem": {
      const body = JSON.stringify({ title, status, detail: message });
      return { status, headers: { "content-type": "application/problem+json" }, body };
    }
    case "list":
      return json({ errors: [message], code: "X1" }, status);
    case "empty":
      return { status, headers: {}, body: "" };
  }
}

function json(value: unknown, status: number): WireAnswer {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers, body: JSON.stringify(value) };
}

const nothing = { status: 204, headers: {}, body: "" };

/** Members that no client knows. */
function embellished(value: unknown, { extra }: Dialect): unknown {
  if (!extra || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return { ...value, _links: { self: null }, "x-region": ["eu", 2], revisionTag: 17.5 };
}

function listBody({ items, page, noun }: Answer & { kind: "list" }, dialect: Dialect): unknown {
  const { lists, more, optional } = dialect;
  const isWhole = page.limit === Infinity;
  const size = isWhole ? items.length : Math.min(page.limit, dialect.pageSize);
  const start = page.cursor === undefined ? (page.page - 1) * size : Number(page.cursor.slice(1));
  const shown = items.slice(start, start + size).map((item) => embellished(item, dialect));
  const end = start + size;
  const isLast = end >= items.length;
  if (lists === "bare") return shown;
  const known = optional === "sent" && !isWhole ? { page: page.page, limit: size } : {};
  const signs = {
    none: {},
    cursor: isLast
      ? optional === "missing"
        ? {}
        : { nextCursor: null }
      : { nextCursor: `@${end}` },
    total: { total: items.length },
    flag: { hasNextPage: !isLast },
    meta: { meta: { total: items.length, offset: start } },
    link: {
      "@odata.count": items.length,
      ...(isLast ? {} : { "@odata.nextLink": `/next?cursor=@${end}` }),
    },
    hasMore: { page: page.page, hasMore: !isLast, total: items.length, took: 3 },
  };
  const name = lists === "odata" ? "value" : lists === "noun" ? (noun ?? "things") : lists;
  return embellished({ ...known, [name]: shown, ...signs[more] }, dialect);
}

/** The answer in the words of the dialect. */
export function answered(answer: Answer, dialect: Dialect): WireAnswer {
  switch (answer.kind) {
    case "list":
      return json(listBody(answer, dialect), 200);
    case "created": {
      const { id, value } = answer;
      const isShort = dialect.createdBody === "id" && id !== undefined;
      return json(embellished(isShort ? { id } : value, dialect), dialect.created);
    }
    case "value":
      return json(embellished(answer.value, dialect), answer.status ?? 200);
    case "done":
      return dialect.done204 ? nothing : json(embellished(answer.value ?? {}, dialect), 200);
    case "text":
      return { status: 200, headers: { "content-type": "text/plain" }, body: answer.text };
    case "bytes": {
      const disposition = `attachment; filename="${answer.filename}"`;
      const headers = { "content-type": "application/octet-stream" };
      const named = { ...headers, "content-disposition": disposition };
      return { status: 200, headers: dialect.extra ? named : headers, body: answer.bytes };
    }
    case "events": {
      const headers = { "content-type": "text/event-stream; charset=utf-8" };
      return { status: 200, headers, body: "", frames: answer.frames };
    }
    case "redirect":
      return { status: 302, headers: { location: answer.location }, body: "" };
    case "empty":
      return nothing;
  }
}
