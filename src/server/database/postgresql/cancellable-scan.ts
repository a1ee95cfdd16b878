import type { ScanOptions } from "../database.ts";
import { callerGone, ScanStoppedError } from "../../kit/storage-errors.ts";
import type { Execute, Executed } from "../reader.ts";
import type { PostgresqlPool } from "./pool.ts";

/** One scan: `answer` rejects at once when it is stopped, `ended` resolves when it has ended. */
export function scan(
  { scans, reads }: { readonly scans: PostgresqlPool; readonly reads: PostgresqlPool },
  text: string,
  parameters: Parameters<Execute>[1],
  { signal, timeLimitMs }: ScanOptions & { readonly timeLimitMs: number },
): { readonly answer: Promise<Executed>; readonly ended: Promise<void> } {
  const stopped = Promise.withResolvers<never>();
  let isStopped = false;
  let cancel = (): void => {};
  const stop = (error: ScanStoppedError): void => {
    if (isStopped) return;
    isStopped = true;
    stopped.reject(error);
    cancel();
  };
  const onAbort = (): void => stop(callerGone());
  const timer = setTimeout(
    () => stop(new ScanStoppedError("The scan was stopped: it took too long", "time-limit")),
    timeLimitMs,
  );
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) onAbort();
  const running = scans.reserve(async (session) => {
    if (isStopped) return stopped.promise;
    // Sent with the scan: no extra round trip.
    const backend = session.execute("select pg_backend_pid() as pid", []);
    const scanned = session.execute(text, parameters);
    let isOver = false;
    let cancelling: Promise<void> | undefined;
    cancel = () => {
      cancelling = cancelUntil(() => isOver, reads, backend);
    };
    try {
      const [executed] = await Promise.all([scanned, backend]);
      return executed;
    } finally {
      isOver = true;
      // A late request would cancel the next scan on this connection.
      await cancelling;
    }
  });
  const answer = Promise.race([stopped.promise, running]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  });
  const end = (): void => {};
  return { answer, ended: running.then(end, end) };
}

/** Repeats the cancel request: one that arrives before the statement is lost. */
async function cancelUntil(
  isOver: () => boolean,
  pool: PostgresqlPool,
  backend: Promise<Executed>,
): Promise<void> {
  const pid = await backend.then(
    ({ rows }) => Number(rows[0]?.["pid"]),
    () => undefined,
  );
  while (pid !== undefined && !isOver()) {
    await pool.execute("select pg_cancel_backend($1::int)", [pid]).catch(() => {});
    if (!isOver()) await Bun.sleep(cancelPauseMs);
  }
}

const cancelPauseMs = 50;
