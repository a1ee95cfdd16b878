import { objectTypeCreation, type ObjectType } from "#contract/object-types/object-types.ts";
import { given } from "#lib/given.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** An Object Type of another platform as a definition of ours. */
export interface ArchivableType {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly name: string;
  /** Parts that our definitions do not have, with the reason. */
  readonly leftOut: readonly { readonly part: string; readonly reason: string }[];
}

/** Returns undefined for a type that cannot be one of ours. */
export function archivableType(type: ObjectType): ArchivableType | undefined {
  const { slug, displayName, description, readRoles, writeRoles } = type;
  const { properties, actions = [] } = type;
  // A link without a name has no values.
  const linkTypes = (type.linkTypes ?? []).filter(({ name }) => name !== "");
  const draft: JsonObject = structuredClone({
    ...given({ displayName, description, readRoles, writeRoles }),
    slug,
    name: nameOf(type),
    properties,
    linkTypes,
    actions,
  });
  const leftOut: { part: string; reason: string }[] = [];
  // Each round removes what the one before has found.
  for (;;) {
    const { success, data, error } = objectTypeCreation.safeParse(draft);
    if (success) {
      const { slug: _slug, name, ...definition } = data;
      return { definition, name, leftOut };
    }
    const [issue] = error.issues;
    if (issue === undefined) return undefined;
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys") {
      // An unknown word about a property does not cost its values.
      const holder = memberAt(draft, path);
      for (const key of issue.keys) Reflect.deleteProperty(Object(holder), key);
      continue;
    }
    const [kind, name] = path;
    const isPart = kind === "properties" || kind === "linkTypes" || kind === "actions";
    if (!isPart || name === undefined) return undefined;
    const holder = memberAt(draft, [kind]);
    const own = Array.isArray(holder) ? nameIn(holder[Number(name)]) : name;
    const shownName = own === "" ? `${kind}.${name}` : own;
    leftOut.push({ part: `${slug}.${shownName}`, reason: issue.message });
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else Reflect.deleteProperty(Object(holder), name);
  }
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((holder, name) => {
    if (Array.isArray(holder)) return holder[Number(name)];
    return isJsonObject(holder) ? ownMember(holder, name) : undefined;
  }, value);
}

/** The name in source code, made of the slug where the platform's one is of another form. */
function nameOf({ name, slug }: ObjectType): string {
  if (/^[A-Z][A-Za-z0-9]{0,127}$/.test(name)) return name;
  const words = slug
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `T${words.join("")}`.replace(/^T(?=[A-Z])/, "").slice(0, 128);
}

function nameIn(value: unknown): string {
  const name: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "name") : "";
  return typeof name === "string" ? name : "";
}
