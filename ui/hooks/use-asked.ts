import { useEffect, useEffectEvent } from "react";
import type { AskedRecords, Route } from "../router.ts";
import { useKept } from "./use-kept.tsx";

/** Heeds what a route asks of the records of a type, once: coming back changes nothing any more. */
export function useAsked(
  objectType: string,
  route: Route,
  heed: (asked: AskedRecords) => void,
): void {
  const asked = route.place === "resources" ? route.asked : undefined;
  const [heeded, setHeeded] = useKept(`asked ${objectType}`, "");
  const onAsked = useEffectEvent(heed);
  useEffect(() => {
    if (asked === undefined || asked.id === heeded) return;
    setHeeded(asked.id);
    onAsked(asked);
  }, [asked, heeded, setHeeded]);
}
