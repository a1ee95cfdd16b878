import type { Client, Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { GeoFeature } from "#contract/geo/features.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { formField, type FormField } from "../../kit/forms/form-field.ts";
import type { Action } from "../../kit/places/action.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";

const parts: readonly FormField[] = [
  formField("properties", "properties", {
    kind: "json",
    hint: 'an object: {"name":"Mill Park","kind":"park"}',
  }),
  formField("geometry", "geometry", {
    kind: "json",
    hint: 'of GeoJSON, longitude first: {"type":"Point","coordinates":[144.96,-37.81]}',
  }),
];

const idField = formField("id", "id", { hint: "empty for a new one" });

export function featureFields(kind: "new" | "existing"): FormField[] {
  return kind === "new" ? [...parts, idField] : [...parts];
}

export function featureData({ properties, geometry }: GeoFeature): JsonObject {
  return given({ properties: properties ?? undefined, geometry: geometry ?? undefined });
}

/** The faults that this client sees; the platform checks the rings of a geometry. */
export function featureFaults(data: JsonObject): Fault[] {
  return ["properties", "geometry"].flatMap((name) => {
    const value = data[name];
    if (value === undefined || isJsonObject(value)) return [];
    return [{ pointer: pointer(name), detail: "must be a JSON object" }];
  });
}

const objectIn = (data: JsonObject, name: string): JsonObject | undefined => {
  const value = data[name];
  return isJsonObject(value) ? value : undefined;
};

/** The body that creates a feature. */
export function featureCreation(data: JsonObject) {
  return {
    geometry: objectIn(data, "geometry") ?? null,
    ...given({ id: textIn(data, "id"), properties: objectIn(data, "properties") }),
  };
}

/** The changed parts with the version they were made from; a removed property is null. */
export function featureChanges(before: GeoFeature, after: JsonObject) {
  const [old, now] = [before.properties ?? {}, objectIn(after, "properties") ?? {}];
  const removed = Object.keys(old).filter((name) => !(name in now));
  const changed = Object.entries(now).filter(([name, value]) => !sameJson(old[name], value));
  const properties = Object.fromEntries([...changed, ...removed.map((name) => [name, null])]);
  const geometry = objectIn(after, "geometry") ?? null;
  return given({
    properties: Object.keys(properties).length === 0 ? undefined : properties,
    geometry: sameJson(before.geometry ?? null, geometry) ? undefined : geometry,
    version: before.version,
  });
}

/** The options of the command with these parts; undefined where no option removes a geometry. */
export function featureOptions(
  settings: ReturnType<typeof featureChanges>,
): CommandOptions | undefined {
  const { properties, geometry, version } = settings;
  if (geometry === null) return undefined;
  return {
    properties: properties && JSON.stringify(properties),
    geometry: geometry && JSON.stringify(geometry),
    version,
  };
}

/** A feature of a dataset, as its list knows it. */
export interface PlacedFeature {
  readonly dataset: string;
  readonly id: string;
  readonly name: string;
}

export const featureRemoval: Action<PlacedFeature> = {
  question: {
    title: ({ name }) => `Delete ${name}`,
    effects: ({ dataset }) => [`the feature of ${dataset} with its geometry`, "this has no undo"],
    command: ({ dataset, id }) => [["geo", "features", "delete", dataset, id], { force: true }],
  },
  removes: true,
  run: async (client: Client, { dataset, id }, tenantId) => {
    await client.geoFeatures.remove({ tenantId, params: { dataset, feature: id } });
    return true;
  },
  done: ({ name }) => `deleted ${name}`,
};
