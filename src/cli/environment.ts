import type { FetchFunction } from "#lib/network/fetch-function.ts";

/** Everything that a command sees of the process; only `src/main.ts` builds it from `process`. */
export interface Environment {
  /** The arguments that follow `svc`. */
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  /** How to start this program again, e.g. `["/usr/bin/svc"]` or `["bun", "src/main.ts"]`. */
  readonly selfCommand: readonly string[];
  readonly platform: string;
  readonly processId: number;
  /** The use of this process since it began. */
  readonly processUsage: () => {
    readonly userSeconds: number;
    readonly systemSeconds: number;
    readonly residentBytes: number;
    readonly uptimeSeconds: number;
  };
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Aborted at the first SIGINT, SIGTERM or SIGHUP, unless `nohup` ignores SIGHUP. */
  readonly signal: AbortSignal;
  /** Runs work that signals end at once, because it does not return to the event loop. */
  readonly atDefaultSignals?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs work whose signal the first Ctrl-C aborts; the program goes on. */
  readonly interruptible?: <Result>(
    work: (signal: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
  /** Calls `handler` when the process ends, except by SIGKILL. The handler can't wait. */
  readonly atExit?: (handler: () => void) => void;
  /** Replaces the network, in `svc demo` and tests. */
  readonly fetch?: FetchFunction;
  /** Called before each request to the platform. */
  readonly onRequest?: () => void;
  /** Absent where this program is not an executable of a release. */
  readonly release?: InstalledRelease;
}

/** The facts that the build of a release puts into its executable. */
export interface InstalledRelease {
  /** Path of the running executable. */
  readonly executable: string;
  /** The public key of releases, in the format of minisign. */
  readonly key: string;
  /** The machine that it is for, e.g. `linux-x64-musl`. */
  readonly target: string;
}

export interface InputStream {
  readonly isTerminal: boolean;
  /** Bytes until the end of input. */
  stream(): ReadableStream<Uint8Array>;
  /** Runs work while the terminal does not show what is typed; undefined where it cannot. */
  readonly unseen?: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
}

export interface OutputStream {
  readonly isTerminal: boolean;
  /** Width in columns; 80 where unknown. */
  readonly columns: number;
  /** True for a stderr that is the null device, or that was closed before the start. */
  readonly isDiscarded?: boolean;
  /**
   * Resolves when the system has all bytes; rejects with code EPIPE when the reader is gone, and
   * with EBADF for a stdout that was closed before the start.
   */
  write(chunk: string | Uint8Array): Promise<void>;
}
