import { AsyncLocalStorage } from "node:async_hooks";
import type { Scope } from "./scope.ts";

/** The workspaces whose rows the database shows; undefined shows those of all workspaces. */
interface DataScope {
  workspaces: readonly string[] | undefined;
  caller?: string;
}

const current = new AsyncLocalStorage<DataScope>();

/**
 * Runs work that belongs to no workspace: sign-in, jobs, purges, maintenance, and the steps of a
 * request until it has entered its workspace. Its rows are those of all workspaces.
 */
export function inPlatformScope<T>(work: () => T): T {
  return current.run({ workspaces: undefined }, work);
}

/** Runs work that reads and writes the rows of these workspaces only. */
export function inWorkspaceScope<T>(workspaces: readonly string[], work: () => T): T {
  return current.run({ workspaces }, work);
}

/** From here on the running request reads and writes the rows of this workspace only. */
export function enterWorkspaceScope(workspace: string, caller: string): void {
  enter([workspace], caller);
}

/**
 * The same for a request whose route has no workspace, and that names one in its query or body. Its
 * `Idempotency-Key` is a row without a workspace.
 */
export function enterNamedWorkspaceScope(workspace: string, caller: string): void {
  enter([workspace, ""], caller);
}

function enter(workspaces: readonly string[], caller: string): void {
  const scope = current.getStore();
  if (scope === undefined) return;
  scope.workspaces = workspaces;
  scope.caller = caller;
}

/** The scope of the running work. */
export function ambientScope(): Scope {
  return { workspaces: scopedWorkspaces(), caller: runningCaller() };
}

/** Who has sent the running request; empty for the platform's own work. */
export function runningCaller(): string {
  return current.getStore()?.caller ?? "";
}

/** The workspaces of the running work; undefined for the platform's own work. */
function scopedWorkspaces(): readonly string[] | undefined {
  return current.getStore()?.workspaces;
}
