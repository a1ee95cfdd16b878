import { usageError } from "#cli/errors.ts";
import { endOfArchive as endOfArchiveJob } from "#client/files/archive-end.ts";
import type { Client } from "#client/index.ts";
import { archiveGroups, type ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { endOfJob } from "#lib/time/job-end.ts";
import type { CommandContext } from "../../kit/context.ts";

export const timeoutOption = {
  type: "number",
  minimum: 1,
  maximum: 86_400,
  default: 3_600,
  placeholder: "seconds",
  description: "Seconds to wait for the job at most",
} as const;

/** The groups of `--groups`, separated by commas. Throws a usage error for another name. */
export function groupsOf(option: string | undefined): ArchiveGroup[] | undefined {
  return option?.split(",").map((name) => {
    const group = archiveGroups.find((each) => each === name.trim());
    if (group !== undefined) return group;
    throw usageError(`"${name}" is not a group of an archive: ${archiveGroups.join(", ")}`);
  });
}

/** The wait for a job of so many seconds at most, with its states as progress. */
export function waitOf(
  { output, signal }: Pick<CommandContext, "output" | "signal">,
  seconds: number,
) {
  const onState = ({ status }: { readonly status: string }): void =>
    void output.progress(`The job is ${status}`);
  return { waitMs: seconds * 1000, onState, signal };
}

/** Reads the state of a job until it has ended or the time is over; returns the last state. */
export function endOf<State extends { readonly status: string }>(
  context: Pick<CommandContext, "output" | "signal">,
  started: State,
  read: () => Promise<State>,
  seconds: number,
): Promise<State> {
  return endOfJob(started, { ...waitOf(context, seconds), read });
}

/** Waits as {@link endOf} does, for an archive. */
export function endOfArchive(
  context: Pick<CommandContext, "output" | "signal">,
  client: Pick<Client, "archives">,
  started: WorkspaceArchive,
  seconds: number,
): Promise<WorkspaceArchive> {
  return endOfArchiveJob(client, started, waitOf(context, seconds));
}
