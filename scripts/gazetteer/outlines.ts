import {
  NumberWriter,
  outlineUnitsPerDegree,
} from "../../src/server/domains/geo/gazetteer/packed.ts";
import type { NaturalArea } from "./sources.ts";

/** Triangles of an outline below this size, in square degrees, are left out: about 0.8 km. */
const leastTriangle = 6e-5;
/** Positions of the shared topology on each axis. */
const quantization = 1e6;

interface Topology {
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: {
    readonly areas: { readonly geometries: readonly { readonly arcs?: ArcTree }[] };
  };
}
type ArcTree = readonly (number | ArcTree)[];

/**
 * Outlines whose neighbours share their borders, so that no point is between two areas or in both:
 * the section `arcs` (for each its length and steps), and `outlines` (for each area its arcs).
 */
export async function packOutlines(
  areas: readonly NaturalArea[],
  packages: string,
): Promise<{ readonly arcs: Uint8Array; readonly outlines: Uint8Array }> {
  const { topology } = await import(`${packages}/topojson-server/src/index.js`);
  const { presimplify, simplify } = await import(`${packages}/topojson-simplify/src/index.js`);
  const features = areas.map(({ geometry }) => ({ type: "Feature", properties: {}, geometry }));
  const whole = topology({ areas: { type: "FeatureCollection", features } }, quantization);
  const simple: Topology = simplify(presimplify(whole), leastTriangle);
  const arcs = new NumberWriter();
  for (const arc of simple.arcs) {
    arcs.put(arc.length);
    let [x, y] = [0, 0];
    for (const [longitude, latitude] of arc) {
      const [nextX, nextY] = [longitude, latitude].map((degrees) =>
        Math.round(degrees * outlineUnitsPerDegree),
      ) as [number, number];
      arcs.put(nextX - x);
      arcs.put(nextY - y);
      [x, y] = [nextX, nextY];
    }
  }
  const outlines = new NumberWriter();
  for (const { arcs: tree = [] } of simple.objects.areas.geometries) {
    const indexes = arcsOf(tree);
    outlines.put(indexes.length);
    let last = 0;
    for (const index of indexes) {
      outlines.put(index - last);
      last = index;
    }
  }
  return { arcs: arcs.bytes, outlines: outlines.bytes };
}

/** Which way an arc goes does not matter for the crossings of a ray. */
function arcsOf(tree: ArcTree): number[] {
  return tree.flatMap((each) => {
    if (typeof each !== "number") return arcsOf(each);
    return [each < 0 ? ~each : each];
  });
}
