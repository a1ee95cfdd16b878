/** The rows that a piece of work may see and change, and the share of the platform that it uses. */
export interface Scope {
  /** Workspaces whose rows the database shows; undefined shows those of all workspaces. */
  readonly workspaces: readonly string[] | undefined;
  /** Id of the user or key whose request it is; empty for the platform's own work. */
  readonly caller: string;
}

/** Sign-in, jobs, purges, maintenance, and a request before it has entered its workspace. */
export const everyWorkspace: Scope = { workspaces: undefined, caller: "" };

/** The share whose turn its work takes: its workspace, or "" where it has none or several. */
export function shareOf({ workspaces }: Scope): string {
  const named = workspaces?.filter((workspace) => workspace !== "") ?? [];
  return named.length === 1 ? (named[0] ?? "") : "";
}

/** One scope with the workspaces of all; an item of every workspace makes it that of all. */
export function joinedScope(scopes: readonly Scope[]): Scope {
  const all = new Set<string>();
  for (const { workspaces } of scopes) {
    if (workspaces === undefined) return everyWorkspace;
    for (const each of workspaces) all.add(each);
  }
  return { workspaces: [...all], caller: "" };
}
