import { useEffect, useMemo, useState } from "react";
import type { drawMap, DrawnMap } from "#lib/map/draw-map.ts";
import type { MapPoint, MapWindow } from "#lib/map/window.ts";
import type { Size } from "../panes/layout.ts";

type Draw = (input: Omit<Parameters<typeof drawMap>[0], "coast">) => DrawnMap;

/** The coast lines take half a megabyte: they are loaded with the first map. */
async function loadDraw(): Promise<Draw> {
  const [{ drawMap: draw }, { coastLines }] = await Promise.all([
    import("#lib/map/draw-map.ts"),
    import("#lib/map/coast.ts"),
  ]);
  const coast = coastLines();
  return (input) => draw({ ...input, coast });
}

/** The drawn map; undefined until its parts are loaded, whose failure is reported. */
export function useDrawnMap(
  points: readonly MapPoint[],
  window: MapWindow | undefined,
  { width, height, isBlocks }: Size & { readonly isBlocks: boolean },
  onFailure: (error: unknown) => void,
): DrawnMap | undefined {
  const [draw, setDraw] = useState<Draw>();
  useEffect(() => {
    let isOpen = true;
    loadDraw().then((loaded) => {
      if (isOpen) setDraw(() => loaded);
    }, onFailure);
    return () => {
      isOpen = false;
    };
  }, [onFailure]);
  return useMemo(() => {
    const [columns, rows] = [Math.max(1, width), Math.max(1, height)];
    return draw?.({ points, columns, rows, window, isBlocks });
  }, [draw, points, window, width, height, isBlocks]);
}
