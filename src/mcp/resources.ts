import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { plainLine } from "#lib/text/terminal.ts";
import type { ResourceContent } from "./answer.ts";
import { callTool } from "./call-tool.ts";
import type { AgentHost } from "./host.ts";
import { agentTools } from "./tools.ts";

/** A record, a document, a page of its text or one passage, as a resource of the protocol. */
export interface ListedResource {
  uri: string;
  name: string;
  description?: string;
  mimeType: string;
  size?: number;
}

export interface ResourcePage {
  resources: ListedResource[];
  nextCursor?: string;
}

const pageLimit = 50;
const jsonType = "application/json";

/** Addresses of everything that can be read; the workspace is part of each. */
export const resourceTemplates = [
  {
    uriTemplate: "svc://{workspace}/records/{objectType}",
    name: "records",
    description: "The newest records of an Object Type",
    mimeType: jsonType,
  },
  {
    uriTemplate: "svc://{workspace}/records/{objectType}/{id}",
    name: "record",
    description: "One record in its current version",
    mimeType: jsonType,
  },
  {
    uriTemplate: "svc://{workspace}/documents/{documentId}",
    name: "document",
    description: "A document's facts: file, status, classification, extracted fields, pages",
    mimeType: jsonType,
  },
  {
    uriTemplate: "svc://{workspace}/documents/{documentId}/pages/{page}",
    name: "page",
    description: "The text of one page of a document, from 1",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "svc://{workspace}/documents/{documentId}/pages/{page}/{start}-{end}",
    name: "passage",
    description: "A passage of a page, by the span of a citation or of a search result",
    mimeType: "text/plain",
  },
] as const;

/** The address is not of a resource, or the caller can not read it. */
export class ResourceFault extends Error {
  override readonly name = "ResourceFault";
}

type Signal = { readonly signal: AbortSignal };

/** Object Types of the default workspace, then its documents; empty without a default. */
export async function listResources(
  host: AgentHost,
  cursor: string | undefined,
  options: Signal,
): Promise<ResourcePage> {
  const workspace = host.workspaceId;
  if (workspace === undefined) return { resources: [] };
  const separator = cursor?.indexOf(":") ?? -1;
  const part = cursor === undefined ? "types" : cursor.slice(0, separator);
  const rest = cursor?.slice(separator + 1) ?? "";
  const page = { limit: pageLimit, ...(rest === "" ? {} : { cursor: rest }) };
  if (part === "types") {
    const answer = await read(host, "objectTypes_list", { tenantId: workspace, ...page }, options);
    const next = nextOf(answer);
    return {
      resources: itemsOf(answer).map((item) => typeResource(workspace, item)),
      nextCursor: next === undefined ? "documents:" : `types:${next}`,
    };
  }
  if (part !== "documents") throw new ResourceFault("The cursor is not of this list");
  const answer = await read(host, "documents_list", { tenantId: workspace, ...page }, options);
  const next = nextOf(answer);
  const resources = itemsOf(answer).map((item) => documentResource(workspace, item));
  return { resources, ...(next === undefined ? {} : { nextCursor: `documents:${next}` }) };
}

function typeResource(workspace: string, item: Readonly<JsonObject>): ListedResource {
  const slug = textOf(item["slug"]);
  return {
    uri: `svc://${workspace}/records/${encodeURIComponent(slug)}`,
    name: plainLine(textOf(item["displayName"]) || textOf(item["name"]) || slug),
    description: "Records of this Object Type",
    mimeType: jsonType,
  };
}

function documentResource(workspace: string, item: Readonly<JsonObject>): ListedResource {
  const { size } = item;
  return {
    uri: `svc://${workspace}/documents/${encodeURIComponent(textOf(item["documentId"]))}`,
    name: plainLine(textOf(item["filename"]) || textOf(item["documentNumber"])),
    description: `Document ${plainLine(textOf(item["documentNumber"]))}`.trim(),
    mimeType: jsonType,
    ...(typeof size === "number" ? { size } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 1024) : "";
}

function itemsOf(answer: Readonly<JsonObject>): JsonObject[] {
  const { items } = answer;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function nextOf({ hasNextPage, nextCursor }: Readonly<JsonObject>): string | undefined {
  if (hasNextPage === false || typeof nextCursor !== "string") return undefined;
  return nextCursor;
}

const address = /^svc:\/\/([0-9a-f-]{36})\/(records|documents)\/([^/?#]+)(?:\/([^?#]+))?$/;

/** The workspace of a resource. Throws {@link ResourceFault} for another address. */
export function workspaceOf(uri: string): string {
  const workspaceId = address.exec(uri)?.[1];
  if (workspaceId !== undefined) return workspaceId;
  throw new ResourceFault(`${JSON.stringify(uri.slice(0, 200))} is not the address of a resource`);
}

/** Reads one resource with the caller's rights. Throws {@link ResourceFault}. */
export async function readResource(
  host: AgentHost,
  uri: string,
  options: Signal,
): Promise<ResourceContent> {
  const [, tenantId = "", kind, first = "", rest] = address.exec(uri) ?? [];
  const json = async (tool: string, given: JsonObject): Promise<ResourceContent> => ({
    uri,
    mimeType: jsonType,
    text: JSON.stringify(await read(host, tool, { tenantId, ...given }, options)),
  });
  if (kind === "records") {
    const objectType = decoded(first);
    return rest === undefined
      ? json("resources_list", { objectType, limit: pageLimit })
      : json("resources_get", { objectType, id: decoded(rest) });
  }
  if (kind !== "documents") throw new ResourceFault("The address is not of a resource here");
  const documentId = decoded(first);
  if (rest === undefined) return json("documents_record", { documentId });
  const [, page, start, end] = /^pages\/(\d{1,7})(?:\/(\d{1,9})-(\d{1,9}))?$/.exec(rest) ?? [];
  if (page === undefined) throw new ResourceFault("The address is not of a resource here");
  const found = await read(host, "documents_page", { tenantId, documentId, page }, options);
  const text = typeof found["text"] === "string" ? found["text"] : "";
  const shown = start === undefined ? text : text.slice(Number(start), Number(end));
  return { uri, mimeType: "text/plain", text: shown };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ResourceFault("The address is not percent-encoded UTF-8");
  }
}

async function read(
  host: AgentHost,
  name: string,
  given: JsonObject,
  options: Signal,
): Promise<JsonObject> {
  const tool = agentTools.find((known) => known.name === name);
  if (tool === undefined) throw new TypeError(`no tool ${name}`);
  const { content, structuredContent, isError } = await callTool(host, tool, given, options);
  if (isError !== true && structuredContent !== undefined) return structuredContent;
  const [part] = content;
  throw new ResourceFault(part?.type === "text" ? part.text : "The resource could not be read");
}
