import { isUtf8 } from "node:buffer";
import { isJsonObject } from "#lib/json/value.ts";
import { idOf, type SourceFeature, type SourceOptions } from "./source.ts";

/** The feature in the JSON text of a `Feature`. */
export function featureOfBytes(bytes: Buffer, options: SourceOptions): SourceFeature {
  if (!isUtf8(bytes)) return { fault: "is not UTF-8" };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return { fault: "is not JSON" };
  }
  return featureOfObject(value, options);
}

export function featureOfObject(value: unknown, options: SourceOptions): SourceFeature {
  if (!isJsonObject(value)) return { fault: "must be a Feature" };
  const { type, id, geometry, properties = null } = value;
  if (type !== "Feature") return { fault: "must be a Feature" };
  if (geometry === undefined) return { fault: "has no geometry; null is one" };
  if (properties !== null && !isJsonObject(properties)) {
    return { fault: "must have an object or null as its properties" };
  }
  const named = options.id === undefined ? id : properties?.[options.id];
  if (named !== undefined && named !== null && idOf(named) === undefined) {
    return { fault: "must have a text or a number as its id" };
  }
  return { id: idOf(named), geometry, properties: properties ?? {} };
}
