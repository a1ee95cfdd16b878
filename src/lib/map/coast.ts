import land from "world-atlas/land-110m.json" with { type: "json" };
import type { MapPoint } from "./window.ts";

/** The coast lines of Natural Earth at 1:110 million, in the public domain. */
export function coastLines(): MapPoint[][] {
  const [scaleX = 1, scaleY = 1] = land.transform.scale;
  const [startX = 0, startY = 0] = land.transform.translate;
  return land.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([stepX = 0, stepY = 0]): MapPoint => {
      x += stepX;
      y += stepY;
      return [x * scaleX + startX, y * scaleY + startY];
    });
  });
}
