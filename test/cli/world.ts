import type { Environment, OutputStream } from "#cli/environment.ts";
import { svcExecutable } from "../support/svc.ts";

/** The output of a command. */
export interface CapturedStream extends OutputStream {
  text(): string;
}

/**
 * A stream that keeps its output. It can act as a terminal, a closed pipe, or a file on a disk with
 * `room` bytes left.
 */
export function captureStream(
  options: { isTerminal?: boolean; columns?: number; closed?: boolean; room?: number } = {},
): CapturedStream {
  const chunks: Uint8Array[] = [];
  let left = options.room ?? Infinity;
  return {
    isTerminal: options.isTerminal ?? false,
    columns: options.columns ?? 80,
    write: (chunk) => {
      if (options.closed === true) {
        return Promise.reject(Object.assign(new Error("broken pipe"), { code: "EPIPE" }));
      }
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      const taken = bytes.subarray(0, Math.min(left, bytes.byteLength));
      left -= taken.byteLength;
      chunks.push(taken);
      if (taken.byteLength < bytes.byteLength) {
        return Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
      }
      return Promise.resolve();
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

export interface CapturedEnvironment extends Environment {
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
}

const self = await svcExecutable();

/** An environment for one call, without anything of the real process. */
export function captureEnvironment(
  argv: readonly string[],
  options: Partial<Omit<Environment, "argv" | "stdout" | "stderr" | "stdin">> & {
    stdin?: string;
    stdout?: CapturedStream;
    stderr?: CapturedStream;
  } = {},
): CapturedEnvironment {
  const { stdin, stdout, stderr, ...rest } = options;
  return {
    argv,
    variables: {},
    currentDirectory: "/nowhere",
    homeDirectory: "/nowhere",
    selfCommand: [self],
    platform: "linux",
    processId: 4711,
    processUsage: () => ({
      userSeconds: 1,
      systemSeconds: 0.5,
      residentBytes: 100_000_000,
      uptimeSeconds: 60,
    }),
    signal: new AbortController().signal,
    stdin: { isTerminal: false, stream: () => new Blob([stdin ?? ""]).stream() },
    stdout: stdout ?? captureStream(),
    stderr: stderr ?? captureStream(),
    ...rest,
  };
}
