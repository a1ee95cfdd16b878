import { useCallback, useMemo } from "react";
import type { Client } from "#client/index.ts";
import { useAnswer } from "./use-answer.ts";
import { useGatheredNames, type NamesById } from "../../kit/state/use-gathered-names.ts";
import { usePlatform } from "./use-platform.tsx";
import { useSettled } from "../../kit/state/use-settled.ts";

/** Members whose names are known without being asked for, which are all of most workspaces. */
const firstMembers = 500;
/** Others who are asked for at once: as many as a filter takes. */
const askedMembers = 100;
const refreshMs = 300_000;
/** Records that are only passed on the way through the list are not asked about. */
const settledMs = 150;

export type NameOf = (oid: string) => string;

interface People {
  readonly names: NamesById;
  readonly isEverybody: boolean;
}

async function peopleOf(
  client: Client,
  tenantId: string | undefined,
  query: { readonly limit: number; readonly where?: string },
  signal: AbortSignal,
): Promise<People> {
  const { items, hasNextPage } = await client.workspaces.members({ tenantId, signal, query });
  const names = items.flatMap(({ oid, email, displayName }) => {
    const name = email ?? displayName;
    return oid === undefined || name === undefined ? [] : [[oid, name] as const];
  });
  return { names, isEverybody: hasNextPage !== true };
}

/**
 * Who is who in the workspace: the e-mail address or name for the id that a record names. `oids` are
 * those that are shown: whoever of them is beyond the first members is asked for. Who is a member no
 * more stays an id.
 */
export function useMemberNames(oids: readonly (string | null | undefined)[]): NameOf {
  const { tenantId } = usePlatform();
  const enabled = tenantId !== undefined;
  const first = useAnswer(
    ["workspaces.members", "names"],
    (client, signal) => peopleOf(client, tenantId, { limit: firstMembers }, signal),
    { refreshMs, enabled },
  ).value;
  const names = useMemo(() => new Map(first?.names), [first]);
  const others =
    first === undefined || first.isEverybody
      ? []
      : [...new Set(oids)]
          .flatMap((oid) => (typeof oid === "string" && !names.has(oid) ? [oid] : []))
          .slice(0, askedMembers);
  const where = JSON.stringify({ oid: { $in: others.toSorted() } });
  const isSettled = useSettled(where, settledMs) === where;
  const { value } = useAnswer(
    ["workspaces.members", "names", where],
    (client, signal) => peopleOf(client, tenantId, { limit: askedMembers, where }, signal),
    { enabled: enabled && others.length > 0 && isSettled },
  );
  const learnt = useGatheredNames(value?.names);
  return useCallback((oid) => names.get(oid) ?? learnt.get(oid) ?? oid, [names, learnt]);
}
