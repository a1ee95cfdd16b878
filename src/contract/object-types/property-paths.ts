import { ownMember } from "#lib/own-member.ts";
import type { PropertyDefinition } from "./properties.ts";

export type PropertyDefinitions = Readonly<Record<string, PropertyDefinition>>;

/** One property of a definition, at any depth. */
export interface PlacedProperty {
  readonly property: PropertyDefinition;
  /** Names that lead to it in a record, without the lists on the way. */
  readonly names: readonly string[];
  /** Where it is in the definition, for a pointer. */
  readonly place: readonly string[];
  /** It describes the items of a list, and has no name itself. */
  readonly isItem: boolean;
}

/** All properties of a definition in its order, each before those inside it. */
export function* walkProperties(
  properties: PropertyDefinitions,
  above: Pick<PlacedProperty, "names" | "place"> = { names: [], place: [] },
): Generator<PlacedProperty, void, undefined> {
  for (const [name, property] of Object.entries(properties)) {
    const names = [...above.names, name];
    const place = [...above.place, "properties", name];
    yield* walkProperty({ property, names, place, isItem: false });
  }
}

function* walkProperty(placed: PlacedProperty): Generator<PlacedProperty, void, undefined> {
  yield placed;
  const { property, names, place } = placed;
  if (property.items !== undefined) {
    yield* walkProperty({
      property: property.items,
      names,
      place: [...place, "items"],
      isItem: true,
    });
  }
  yield* walkProperties(property.properties ?? {}, { names, place });
}

/**
 * The property that a path of names leads to; undefined where it is not declared. The path leads
 * through objects, with "lists" also through the items of lists, with "positions" also through
 * numbered items.
 */
export function propertyAt(
  properties: PropertyDefinitions,
  path: readonly string[],
  through: "objects" | "lists" | "positions",
): PropertyDefinition | undefined {
  let members: PropertyDefinitions | undefined = properties;
  let property: PropertyDefinition | undefined;
  for (const name of path) {
    const isPosition = property?.type === "array" && /^\d+$/.test(name);
    if (through === "positions" && isPosition) continue;
    property = ownMember(members ?? {}, name);
    if (property === undefined) return undefined;
    members = (through === "objects" ? property : innermostItem(property)).properties;
  }
  return property;
}

/** The items of a property's innermost list; the property itself where it is not a list. */
export function innermostItem(property: PropertyDefinition): PropertyDefinition {
  return property.items === undefined ? property : innermostItem(property.items);
}
