import { Part } from "../../kit/state/part.ts";
import { Names, namesRefreshMs, type NameRequest, type NamesById } from "./names.ts";
import type { Platform } from "./use-platform.ts";

/** Members that are loaded at once: all of most workspaces. */
const firstMembers = 500;
const filteredMembers = 100;

/** E-mail addresses or names of members by their ids. A former member has none. */
export const memberNamesPart = new Part<Names<string>>("names of members");

async function memberNames(
  { client, tenantId, signal }: NameRequest<string>,
  query: { readonly limit: number; readonly where?: string },
): Promise<{ readonly names: NamesById; readonly isComplete: boolean }> {
  const { items, hasNextPage } = await client.members.list({ tenantId, signal, query });
  const names = items.flatMap(({ oid, email, displayName }) => {
    const name = email ?? displayName;
    return oid === undefined || name === undefined ? [] : [[oid, name] as const];
  });
  return { names, isComplete: hasNextPage !== true };
}

interface FirstMembers {
  readonly of: NameRequest<string>;
  readonly atMs: number;
  readonly names: NamesById;
  readonly isComplete: boolean;
}

/** The names of members: the first ones once, then those of other wanted ids. */
export function openMemberNames(platform: Platform): Names<string> {
  let first: FirstMembers | undefined;
  const isFresh = ({ of, atMs }: FirstMembers, { client, tenantId }: NameRequest<string>) =>
    of.client === client && of.tenantId === tenantId && performance.now() - atMs < namesRefreshMs;
  return new Names(platform, async (request) => {
    if (first === undefined || request.isRefresh || !isFresh(first, request)) {
      const answer = await memberNames(request, { limit: firstMembers });
      first = { of: request, atMs: performance.now(), ...answer };
    }
    const { names, isComplete } = first;
    const known = new Set(names.map(([oid]) => oid));
    const others = [...new Set(request.wanted)].filter((oid) => !known.has(oid));
    if (isComplete || others.length === 0) return names;
    const oids = others.toSorted().slice(0, filteredMembers);
    const where = JSON.stringify({ oid: { $in: oids } });
    const found = await memberNames(request, { limit: filteredMembers, where });
    return [...names, ...found.names];
  });
}
