import { isAmong } from "#contract/access/roles.ts";
import type { WorkspaceScope } from "../../../work/caller.ts";
import type { NamedRoles, StoredDefinition } from "../stored-types.ts";

/** The rights of one role on the records of a type. */
export interface RoleRights<View> {
  /** The type as this role sees it; undefined if it may not read the records. */
  readonly readable: View | undefined;
  readonly mayWriteRecords: boolean;
  mayRead(name: string): boolean;
  mayWrite(name: string): boolean;
}

/** The rights of a definition, computed once for each role that asks. */
export class TypeRights<View> {
  readonly #byRole = new Map<string, RoleRights<View>>();

  constructor(
    private readonly ofRecords: NamedRoles,
    readonly ofNames: ReadonlyMap<string, NamedRoles>,
    private readonly viewOf: (hidden: ReadonlySet<string>) => View,
  ) {}

  /** The rights of a role; those of a request without one if undefined. */
  of(holder: WorkspaceScope | undefined): RoleRights<View> {
    const key = holder === undefined ? "" : `${holder.role} ${holder.name ?? ""}`;
    let rights = this.#byRole.get(key);
    if (rights === undefined) this.#byRole.set(key, (rights = this.#compute(holder)));
    return rights;
  }

  writeRolesOf(name: string): readonly string[] {
    const { readRoles, writeRoles } = this.ofNames.get(name) ?? {};
    return writeRoles ?? readRoles ?? [];
  }

  get writeRolesOfRecords(): readonly string[] {
    return this.ofRecords.writeRoles ?? [];
  }

  #compute(holder: WorkspaceScope | undefined): RoleRights<View> {
    const hidden = new Set<string>();
    const unwritable = new Set<string>();
    for (const [name, roles] of this.ofNames) {
      const isHidden = !mayUse(roles.readRoles, holder);
      if (isHidden) hidden.add(name);
      const mayWrite =
        roles.writeRoles === undefined ? !isHidden : mayUse(roles.writeRoles, holder);
      if (!mayWrite) unwritable.add(name);
    }
    return {
      readable: mayUse(this.ofRecords.readRoles, holder) ? this.viewOf(hidden) : undefined,
      mayWriteRecords: mayUse(this.ofRecords.writeRoles, holder),
      mayRead: (name) => !hidden.has(name),
      mayWrite: (name) => !unwritable.has(name),
    };
  }
}

export function mayUse(
  named: readonly string[] | undefined,
  holder: WorkspaceScope | undefined,
): boolean {
  if (named === undefined) return true;
  return holder !== undefined && isAmong(named, { role: holder.role, name: holder.name ?? "" });
}

/** The roles of each name of a definition, and of names that it had; only those with roles. */
export function rolesOfNames(definition: StoredDefinition): Map<string, NamedRoles> {
  const named = new Map<string, NamedRoles>(Object.entries(definition.retired ?? {}));
  const declared: [string, NamedRoles][] = [
    ...Object.entries(definition.properties),
    ...definition.linkTypes.map((link): [string, NamedRoles] => [link.name, link]),
  ];
  for (const [name, { readRoles, writeRoles }] of declared) {
    named.delete(name);
    if (readRoles !== undefined || writeRoles !== undefined) {
      named.set(name, { readRoles, writeRoles });
    }
  }
  return named;
}
