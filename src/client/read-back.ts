import type { RouteDefinition } from "#contract/route.ts";
import { isJsonObject, parsedJson } from "#lib/json-value.ts";
import type { LooseInput } from "./encode.ts";

/** Calls a route; `callRoute` with its settings. */
export type Call = (route: RouteDefinition, input: LooseInput) => Promise<unknown>;

const records = "/v4/data/resources/{tenantId}/{objectType}";
const objectTypes = "/v4/data/resources/object-types";

/** Writes whose answer is the written record: one without it is completed by a read. */
const recordWrites = [records, `${records}/{id}`, `${records}/{id}/actions/{action}`];
const typeWrites = [objectTypes, `${objectTypes}/{objectTypeId}`];

const longestScan = 100;

/**
 * The written thing, for a successful write whose body does not have it: the specification does not
 * name these bodies, so a deployment may send none, or only the ID. Undefined if it can't be read.
 */
export async function readBack(
  { method, path }: RouteDefinition,
  { params, body: _body, query: _query, headers: _headers, ...options }: LooseInput,
  text: string,
  call: Call,
): Promise<unknown> {
  if (method === "GET") return undefined;
  const sent: unknown = parsedJson(text);
  const given = new Map<string, unknown>(Object.entries(params ?? {}));
  const id = given.get("id") ?? given.get("objectTypeId") ?? idIn(sent);
  if (typeof id !== "string" || id === "") return undefined;
  if (recordWrites.includes(path)) {
    const { resourceRoutes } = await import("#contract/resources.ts");
    const { action: _action, ...place } = { ...params, id } as Record<string, unknown>;
    return await call(resourceRoutes.get, { ...options, params: place });
  }
  if (!typeWrites.includes(path)) return undefined;
  const { objectTypeRoutes } = await import("#contract/object-types.ts");
  for (let page = 1; page <= longestScan; page += 1) {
    const input = { ...options, query: { page, limit: 500 } };
    const list = await call(objectTypeRoutes.list, input);
    const items: unknown = isJsonObject(list) ? list["items"] : undefined;
    if (!Array.isArray(items) || items.length === 0) return undefined;
    const found: unknown = items.find((item: unknown) => idIn(item) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function idIn(value: unknown): string | undefined {
  const id = isJsonObject(value) ? value["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
