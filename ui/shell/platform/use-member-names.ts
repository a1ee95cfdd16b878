import { useCallback, useMemo } from "react";
import type { Client } from "#client/index.ts";
import { useAnswer } from "./use-answer.ts";
import { useGatheredNames, type NamesById } from "../../kit/state/use-gathered-names.ts";
import { useSettled } from "../../kit/state/use-settled.ts";

/** Members that are loaded at once: all of most workspaces. */
const firstMembers = 500;
const filteredMembers = 100;
const refreshMs = 300_000;
/** Fast moves through a list request no names. */
const settledMs = 150;

export type NameOf = (oid: string) => string;

interface MemberNames {
  readonly names: NamesById;
  readonly isComplete: boolean;
}

async function memberNames(
  client: Client,
  tenantId: string | undefined,
  query: { readonly limit: number; readonly where?: string },
  signal: AbortSignal,
): Promise<MemberNames> {
  const { items, hasNextPage } = await client.members.list({ tenantId, signal, query });
  const names = items.flatMap(({ oid, email, displayName }) => {
    const name = email ?? displayName;
    return oid === undefined || name === undefined ? [] : [[oid, name] as const];
  });
  return { names, isComplete: hasNextPage !== true };
}

/**
 * E-mail addresses or names of members by their ids. `oids` are the visible ids, which are
 * requested where the first members do not include them. The id of a former member stays an id.
 */
export function useMemberNames(oids: readonly (string | null | undefined)[]): NameOf {
  const first = useAnswer(
    ["members.list", "names"],
    (client, signal, tenantId) => memberNames(client, tenantId, { limit: firstMembers }, signal),
    { refreshMs },
  ).value;
  const names = useMemo(() => new Map(first?.names), [first]);
  const others =
    first === undefined || first.isComplete
      ? []
      : [...new Set(oids)]
          .flatMap((oid) => (typeof oid === "string" && !names.has(oid) ? [oid] : []))
          .slice(0, filteredMembers);
  const where = JSON.stringify({ oid: { $in: others.toSorted() } });
  const isSettled = useSettled(where, settledMs) === where;
  const { value } = useAnswer(
    ["members.list", "names", where],
    (client, signal, tenantId) =>
      memberNames(client, tenantId, { limit: filteredMembers, where }, signal),
    { enabled: others.length > 0 && isSettled },
  );
  const found = useGatheredNames(value?.names);
  return useCallback((oid) => names.get(oid) ?? found.get(oid) ?? oid, [names, found]);
}
