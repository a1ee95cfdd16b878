import * as z from "zod";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { coastLines } from "#lib/map/coast.ts";
import { svgMap, type MapShape } from "#lib/map/svg-map.ts";

const collection = z.object({
  features: z.array(
    z.object({
      geometry: z.unknown(),
      properties: z.object({ name: z.string(), count: z.number() }),
    }),
  ),
});

/** A FeatureCollection of a guide as a map; its features have a name and a count. */
export function drawnMap(text: string): string {
  const { features } = collection.parse(JSON.parse(text));
  const most = Math.max(...features.map(({ properties }) => properties.count));
  const shapes = features.map(({ geometry, properties: { name, count } }): MapShape => {
    const reading = readGeometry(geometry);
    if (reading.faults !== undefined || reading.geometry === null) {
      throw new Error(`The map of a guide has a geometry that is not valid: ${name}`);
    }
    return { geometry: reading.geometry, title: `${name}: ${count}`, weight: count / most };
  });
  const title = features.map(({ properties: { name, count } }) => `${name} ${count}`).join(", ");
  return `<figure>${svgMap({ title, shapes, coast: coastLines(), height: 400 })}</figure>`;
}
