import { constants, setPriority } from "node:os";
import { parsedJson } from "#lib/json/value.ts";
import { shipLog, shipRequest } from "../log/ship-log.ts";
import { linesOf } from "../place/sealed-objects.ts";
import {
  backupEvent,
  backupRequest,
  runBackup,
  type BackupEvent,
  type BackupRequest,
} from "./backup-run.ts";

/**
 * The program of `svc __backup`: reads a request from its input and writes its events as lines. It
 * ends with its input, which is the end of the platform. Returns the exit code.
 */
export async function runBackupChild(io: {
  input(): AsyncIterable<Uint8Array>;
  write(line: string): Promise<void>;
}): Promise<number> {
  const lines = linesOf(io.input())[Symbol.asyncIterator]();
  const first = await lines.next();
  const given = parsedJson(String(first.value));
  const [request, shipment] = [backupRequest.safeParse(given), shipRequest.safeParse(given)];
  if (!request.success && !shipment.success) return 2;
  try {
    // Requests of clients come before backups.
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // The system does not permit it: keep the priority.
  }
  const stopped = new AbortController();
  const end = lines.next().then(() => stopped.abort(new Error("the platform has ended")));
  const { signal } = stopped;
  const onEvent = (event: object): Promise<void> => io.write(`${JSON.stringify(event)}\n`);
  const run = shipment.success
    ? shipLog(shipment.data, { signal, onEvent }).catch((error: unknown) => io.write(String(error)))
    : runBackup(backupRequest.parse(given), { signal, onEvent });
  // After the end of the platform nothing reads what a long step would report.
  await Promise.race([run, end]);
  return stopped.signal.aborted ? 1 : 0;
}

/** Runs a request in a process of its command, which is killed when the signal aborts. */
export async function runInProcess(
  command: readonly string[],
  request: BackupRequest,
  {
    signal,
    onEvent,
  }: { readonly signal: AbortSignal; readonly onEvent: (event: BackupEvent) => Promise<void> },
): Promise<void> {
  let isEnded = false;
  for await (const line of processLines(command, request, signal)) {
    const event = backupEvent.parse(parsedJson(line));
    isEnded = event.event === "removed" || event.event === "failed";
    await onEvent(event);
  }
  const error = "the process of the backup stopped";
  if (!isEnded) await onEvent({ event: "failed", error, keepsBackup: false });
}

/** The lines that a process writes for a request. Throws the signal's reason after a kill. */
export async function* processLines(
  command: readonly string[],
  request: object,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const child = Bun.spawn([...command], {
    env: {},
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const kill = (): void => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  try {
    signal.throwIfAborted();
    try {
      await child.stdin.write(`${JSON.stringify(request)}\n`);
      await child.stdin.flush();
    } catch {
      // A process that has ended takes no request: its output says nothing of an end.
    }
    yield* linesOf(child.stdout);
    await child.exited;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
    await child.exited;
  }
}
