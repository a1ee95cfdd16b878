import { roleIncludes } from "#contract/access/roles.ts";
import { Refusal } from "#contract/problems.ts";
import { keptPromise } from "../../kit/background.ts";
import type { HeldRole, WorkspaceScope } from "../../work/caller.ts";
import { roleWithinApp } from "../../work/held-role.ts";
import type { AccessPort, TokenPort } from "../../work/ports.ts";

/** Undefined after the end of the right; unknown while the database does not answer. */
type Held = HeldRole | "unknown" | undefined;

/** The roles of callers at one moment, each read once for all streams of its token. */
export class HeldRoles {
  /** The answers by token and workspace; the streams of a caller that follow do not wait. */
  readonly #known = new Map<string, Map<string, { held?: Held; readonly read: Promise<Held> }>>();

  constructor(
    private readonly parts: { readonly tokens: TokenPort; readonly access: AccessPort },
  ) {}

  /** False once the token, its session, its key or the role has ended, or the role has changed. */
  isSame(token: string, workspace: WorkspaceScope): boolean | Promise<boolean> {
    // A text of both would be made and hashed for each stream.
    let ofToken = this.#known.get(token);
    if (ofToken === undefined) this.#known.set(token, (ofToken = new Map()));
    let known = ofToken.get(workspace.id);
    if (known === undefined) {
      known = { read: keptPromise(this.#read(token, workspace.id)) };
      ofToken.set(workspace.id, known);
    }
    if ("held" in known) return isHeld(known.held, workspace);
    const { read } = known;
    return read.then((held) => {
      ofToken.set(workspace.id, { held, read });
      return isHeld(held, workspace);
    });
  }

  async #read(token: string, workspaceId: string): Promise<Held> {
    const { tokens, access } = this.parts;
    try {
      return await roleWithinApp(await tokens.verify(token), workspaceId, access);
    } catch (error) {
      // An unreachable database says nothing about a right.
      return error instanceof Refusal ? undefined : "unknown";
    }
  }
}

function isHeld(held: Held, workspace: WorkspaceScope): boolean {
  return held === "unknown" || (held !== undefined && isSameRole(held, workspace));
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
