import { textOption } from "#cli/command.ts";
import type { Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { GeoFeature } from "#contract/geo/features.ts";

export const featureArguments = [
  { name: "dataset", description: "Name of the dataset; `svc geo datasets list`" },
  { name: "feature", description: "ID of the feature" },
] as const;

/** The options that have the parts of a feature as JSON. */
export const partOptions = {
  geometry: textOption("json", "Geometry of GeoJSON; `-` reads stdin, `@path` a file"),
  properties: textOption("json", "Properties; `-` reads stdin, `@path` a file"),
} as const;

export function featureLines(output: Output, feature: GeoFeature): Shown[] {
  const { id, geometry, properties, version, created_at, updated_at } = feature;
  return output.fields([
    ["id", id],
    ["geometry", JSON.stringify(geometry)],
    ["properties", JSON.stringify(properties)],
    ["version", version?.toString()],
    ["created", created_at],
    ["updated", updated_at],
  ]);
}

/** The type of a geometry, for a list. */
export function geometryType({ geometry }: GeoFeature): string {
  const type = geometry?.["type"];
  return typeof type === "string" ? type : "none";
}
