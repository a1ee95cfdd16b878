import { plainRoute, type RouteName } from "#contract/route-table.ts";
import { isJsonObject, parsedJson } from "#lib/json-value.ts";
import type { LooseInput } from "./encode.ts";
import { clientRoute, type ClientRoute } from "./route.ts";

/** Calls a route; `callRoute` with its settings. */
export type Call = (route: ClientRoute, input: LooseInput) => Promise<unknown>;

/** Writes whose answer is the written record: one without it is completed by a read. */
const recordWrites = ["resources.create", "resources.update", "resources.executeAction"] as const;
const typeWrites = ["objectTypes.create", "objectTypes.update"] as const;

function isOneOf(writes: readonly RouteName[], { method, path }: ClientRoute): boolean {
  return writes.map(plainRoute).some((one) => one.method === method && one.path === path);
}

const longestScan = 100;

/**
 * The written thing, for a successful write whose body does not have it: the specification does not
 * name these bodies, so a deployment may send none, or only the ID. Undefined if it can't be read.
 */
export async function readBack(
  route: ClientRoute,
  { params, body: _body, query: _query, headers: _headers, ...options }: LooseInput,
  text: string,
  call: Call,
): Promise<unknown> {
  if (route.method === "GET") return undefined;
  const sent: unknown = parsedJson(text);
  const given = new Map<string, unknown>(Object.entries(params ?? {}));
  const id = given.get("id") ?? given.get("objectTypeId") ?? idIn(sent);
  if (typeof id !== "string" || id === "") return undefined;
  if (isOneOf(recordWrites, route)) {
    const { action: _action, ...place } = { ...params, id } as Record<string, unknown>;
    return await call(clientRoute("resources", "get"), { ...options, params: place });
  }
  if (!isOneOf(typeWrites, route)) return undefined;
  for (let page = 1; page <= longestScan; page += 1) {
    const input = { ...options, query: { page, limit: 500 } };
    const list = await call(clientRoute("objectTypes", "list"), input);
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
