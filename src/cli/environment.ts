import type { FetchFunction } from "#lib/fetch-function.ts";

/**
 * The world as a command sees it. `src/main.ts` builds one from the process; tests and `svc demo`
 * build their own, which is why nothing else may touch `process`.
 */
export interface Environment {
  /** Without the executable: what the user typed after `svc`. */
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  /** How to start this very program again, e.g. `["/usr/bin/svc"]` or `["bun", "src/main.ts"]`. */
  readonly selfCommand: readonly string[];
  readonly platform: string;
  readonly processId: number;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted at the first SIGINT, SIGTERM or SIGHUP; not at a SIGHUP that `nohup` has it ignore. */
  readonly signal: AbortSignal;
  /** What the process ends with once `signal` is aborted, where it is not 130, e.g. 143 for SIGTERM. */
  readonly stopExitCode?: () => number | undefined;
  /** Calls `handler` when the process ends, however it does but for SIGKILL; it can't wait. */
  readonly atExit?: (handler: () => void) => void;
  /** The platform's own function instead of the network: `svc demo` and tests. */
  readonly fetch?: FetchFunction;
}

export interface InputStream {
  readonly isTerminal: boolean;
  /** Bytes until the end of input. */
  stream(): ReadableStream<Uint8Array>;
}

export interface OutputStream {
  readonly isTerminal: boolean;
  /** Width in columns; 80 where unknown. */
  readonly columns: number;
  /** Whether nobody will ever read it: it is the null device, or was closed before the start. */
  readonly isDiscarded?: boolean;
  /** Resolves when everything is handed to the system; rejects with code EPIPE when nobody reads. */
  write(chunk: string | Uint8Array): Promise<void>;
}
