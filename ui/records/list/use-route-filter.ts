import { useEffect, useEffectEvent } from "react";
import type { Route } from "../../shell/router.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";

/** Applies the filter of a route once: a later visit does not apply it again. */
export function useRouteFilter(
  objectType: string,
  route: Route,
  apply: (filter: string) => void,
): void {
  const filter = route.place === "resources" ? route.filter : undefined;
  const [appliedId, setAppliedId] = useRemembered(`route filter ${objectType}`, "");
  const onFilter = useEffectEvent(apply);
  useEffect(() => {
    if (filter === undefined || filter.id === appliedId) return;
    setAppliedId(filter.id);
    onFilter(filter.text);
  }, [filter, appliedId, setAppliedId]);
}
