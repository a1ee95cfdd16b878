import { roleIncludes } from "#contract/access/roles.ts";
import { Refusal } from "#contract/problems.ts";
import { keptPromise } from "../../kit/background.ts";
import type { HeldRole, WorkspaceScope } from "../../work/caller.ts";
import { roleWithinApp } from "../../work/held-role.ts";
import type { AccessPort, TokenPort } from "../../work/ports.ts";

/** The roles of callers at one moment, each read once for all streams of its token. */
export class HeldRoles {
  readonly #known = new Map<string, Promise<HeldRole | "unknown" | undefined>>();

  constructor(
    private readonly parts: { readonly tokens: TokenPort; readonly access: AccessPort },
  ) {}

  /** False once the token, its session, its key or the role has ended, or the role has changed. */
  async isSame(token: string, workspace: WorkspaceScope): Promise<boolean> {
    const key = `${workspace.id} ${token}`;
    const reading = this.#known.get(key) ?? this.#read(token, workspace.id);
    this.#known.set(key, keptPromise(reading));
    const held = await reading;
    return held === "unknown" || (held !== undefined && isSameRole(held, workspace));
  }

  async #read(token: string, workspaceId: string): Promise<HeldRole | "unknown" | undefined> {
    const { tokens, access } = this.parts;
    try {
      return await roleWithinApp(await tokens.verify(token), workspaceId, access);
    } catch (error) {
      // An unreachable database says nothing about a right.
      return error instanceof Refusal ? undefined : "unknown";
    }
  }
}

function isSameRole({ role, name, permissions }: HeldRole, workspace: WorkspaceScope): boolean {
  const mayRead = permissions?.has("realtime.events") ?? roleIncludes(role, "tenant-viewer");
  const isSame = role === workspace.role && name === (workspace.name ?? workspace.role);
  return mayRead && isSame && haveSameMembers(permissions, workspace.permissions);
}

/** Another set of the same permissions is the same right: a role that was read again has one. */
function haveSameMembers(
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): boolean {
  if (one === other) return true;
  return one?.size === other?.size && [...(one ?? [])].every((each) => other?.has(each));
}
