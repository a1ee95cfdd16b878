import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Work } from "../../../work/work.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../../object-types/service.ts";

/** A member of a type whose values are ids of records. */
export interface Reference {
  /** The slug of the type of those records. */
  readonly target: string;
  readonly isList: boolean;
}

/** A name of `expand`, with the members that it follows. */
export type Expansion =
  | {
      readonly kind: "forward";
      readonly name: string;
      /** The member of each type that has one of this name. */
      readonly references: ReadonlyMap<ReadableType, Reference>;
    }
  | {
      readonly kind: "backward";
      readonly name: string;
      /** The type whose records refer to the read ones. */
      readonly source: ReadableType;
      readonly property: string;
      readonly reference: Reference;
    };

/** The reference, list of references or link type of this name. */
function referenceOf({ properties, linkTypes }: ReadableType, name: string): Reference | undefined {
  const property = ownMember<PropertyDefinition | undefined>(properties, name);
  const isList = property?.type === "array";
  const one = isList ? property.items : property;
  if (one?.type === "reference" && one.targetObjectType !== undefined) {
    return { target: one.targetObjectType, isList };
  }
  const link = linkTypes.find((some) => some.name === name);
  return link && { target: link.targetObjectType, isList: link.cardinality === "many" };
}

/** Undefined for a name that leads to no record from any of these types. */
export async function parseExpansion(
  objectTypes: ObjectTypeService,
  work: Work,
  types: readonly ReadableType[],
  name: string,
): Promise<Expansion | undefined> {
  const dot = name.lastIndexOf(".");
  if (dot < 0) {
    const references = new Map(
      types.flatMap((type) => {
        const reference = referenceOf(type, name);
        return reference === undefined ? [] : [[type, reference] as const];
      }),
    );
    return references.size === 0 ? undefined : { kind: "forward", name, references };
  }
  const workspaceId = types[0]?.workspaceId ?? "";
  const found = await objectTypes.find(workspaceId, name.slice(0, dot));
  const source = found && readableFields(work, found);
  const property = name.slice(dot + 1);
  const reference = source && referenceOf(source, property);
  if (source === undefined || reference === undefined) return undefined;
  if (!types.some(({ slug }) => slug === reference.target)) return undefined;
  return { kind: "backward", name, source, property, reference };
}

export function expansionFault(name: string): string {
  return `"${name}" is not a reference, a link type, or \`type.reference\` of a type that refers to it`;
}
