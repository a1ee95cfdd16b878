import { useCallback, useMemo } from "react";
import { useAnswer } from "./use-answer.ts";
import { usePlatform } from "./use-platform.tsx";

/** Members whose names are known; who else wrote something is shown by their id. */
const knownMembers = 500;
const refreshMs = 300_000;

export type NameOf = (oid: string) => string;

/** Who is who in the workspace: the e-mail address or name for the id that a record names. */
export function usePeople(): NameOf {
  const { tenantId } = usePlatform();
  const { value } = useAnswer(
    ["workspaces.members", "names"],
    async (client, signal) => {
      const query = { limit: knownMembers };
      const { items } = await client.workspaces.members({ tenantId, signal, query });
      return items.map(({ oid, email, displayName }) => [oid, email ?? displayName] as const);
    },
    { refreshMs, enabled: tenantId !== undefined },
  );
  const names = useMemo(() => new Map(value ?? []), [value]);
  return useCallback((oid) => names.get(oid) ?? oid, [names]);
}
