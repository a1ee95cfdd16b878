import { ownMember } from "#lib/own-member.ts";

/** The parts of a property that have nested properties; `PropertyDefinition` is one. */
export interface NestingProperty<Property> {
  readonly type: string;
  readonly items?: Property | undefined;
  readonly properties?: Readonly<Record<string, Property>> | undefined;
}

/** A property with its place in a definition. */
export interface PlacedProperty<Property> {
  readonly property: Property;
  /** The names of a dotted path; the items of a list have the names of the list. */
  readonly names: readonly string[];
  /** The path in the definition, for pointers, e.g. `["properties", "rooms", "items"]`. */
  readonly path: readonly (string | number)[];
  /** The level from 1; members and items are one level below their property. */
  readonly level: number;
  /** True if it describes the items of a list. */
  readonly isItem: boolean;
}

export interface PropertyVisitor<Property> {
  /** Called before the nested properties, which are skipped when it returns false. */
  enter(placed: PlacedProperty<Property>): boolean;
  /** Called after the nested properties, unless they were skipped. */
  leave?(placed: PlacedProperty<Property>): void;
}

type Properties<Property> = Readonly<Record<string, Property>>;
type Path = readonly (string | number)[];

/** Visits the properties of a definition at any depth, in its order. `base` begins each path. */
export function walkProperties<Property extends NestingProperty<Property>>(
  properties: Properties<Property>,
  visitor: PropertyVisitor<Property>,
  base: Path = ["properties"],
): void {
  const visit = (placed: PlacedProperty<Property>): void => {
    if (!visitor.enter(placed)) return;
    const { property, names, path, level } = placed;
    const { items, properties: members = {} } = property;
    if (items !== undefined) {
      visit({ property: items, names, path: [...path, "items"], level: level + 1, isItem: true });
    }
    visitMembers(members, names, [...path, "properties"], level + 1);
    visitor.leave?.(placed);
  };
  const visitMembers = (of: Properties<Property>, above: Path, path: Path, level: number) => {
    for (const [name, property] of Object.entries(of)) {
      const names = [...above.map(String), name];
      visit({ property, names, path: [...path, name], level, isItem: false });
    }
  };
  visitMembers(properties, [], base, 1);
}

export function placedProperties<Property extends NestingProperty<Property>>(
  properties: Properties<Property>,
): PlacedProperty<Property>[] {
  const placed: PlacedProperty<Property>[] = [];
  walkProperties(properties, { enter: (one) => placed.push(one) > 0 });
  return placed;
}

/** The property of the values in a list, or in lists of lists; any other property itself. */
export function valueProperty<Property extends NestingProperty<Property>>(
  property: Property,
): Property | undefined {
  let value: Property | undefined = property;
  while (value?.type === "array") value = value.items;
  return value;
}

/** The declared property at a dotted path; `through` allows lists, or numbered items too. */
export function propertyAt<Property extends NestingProperty<Property>>(
  properties: Properties<Property>,
  names: readonly string[],
  through: "objects" | "lists" | "positions" = "positions",
): Property | undefined {
  let members = properties;
  let property: Property | undefined;
  for (const name of names) {
    const isPosition = through === "positions" && property?.type === "array" && /^\d+$/.test(name);
    property = isPosition ? property?.items : ownMember(members, name);
    if (property === undefined) return undefined;
    const holder: Property | undefined = through === "objects" ? property : valueProperty(property);
    members = holder?.properties ?? {};
  }
  return property;
}
