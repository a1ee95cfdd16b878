import { useEffect, useEffectEvent } from "react";
import type { Route } from "../router.ts";
import { useKept } from "./use-kept.tsx";

/** Heeds what a route asks of the records of a type, once: coming back changes nothing any more. */
export function useAsked(
  objectType: string,
  route: Route,
  filterBy: (filter: string) => void,
): void {
  const asked = route.place === "resources" ? route.asked : undefined;
  const [heeded, setHeeded] = useKept(`asked ${objectType}`, "");
  const onAsked = useEffectEvent(filterBy);
  useEffect(() => {
    if (asked === undefined || asked.id === heeded) return;
    setHeeded(asked.id);
    onAsked(asked.filter);
  }, [asked, heeded, setHeeded]);
}
