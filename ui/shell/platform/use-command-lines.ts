import { commandLine, type CommandOptions } from "../../kit/text/command-line.ts";
import { usePlatform } from "./use-platform.ts";

/** Writes a command that does the same from another shell. */
export type WriteCommand = (words: readonly string[], options?: CommandOptions) => string;

export interface CommandLines {
  /** A command in the open workspace: `--tenant-id` names it. */
  readonly inWorkspace: WriteCommand;
  /** A command that needs no workspace, or has it among its words. */
  readonly onPlatform: WriteCommand;
}

/** Command lines that name the session's platform, profile and workspace. */
export function useCommandLines(): CommandLines {
  const { session, tenantId } = usePlatform();
  const onPlatform: WriteCommand = (words, options) => commandLine(session.command, words, options);
  return {
    onPlatform,
    inWorkspace: (words, options) => onPlatform(words, { ...options, "tenant-id": tenantId }),
  };
}
