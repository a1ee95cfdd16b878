import { Refusal } from "#contract/problems.ts";
import {
  DuplicateError,
  OverloadedError,
  ScanStoppedError,
  StorageError,
  StorageFullError,
  UnitTimeoutError,
} from "../kit/storage-errors.ts";

/**
 * What to throw for a request whose body was not read to its end: a refusal closes the connection.
 * Anything else is thrown as it is, an answer that a key has already among them.
 */
export function withoutRest(error: unknown, caller: AbortSignal): unknown {
  if (!(error instanceof Refusal || error instanceof StorageError)) return error;
  const { code, options } = problemOf(error, caller);
  const headers = { ...options.headers, connection: "close" };
  return new Refusal(code, { cause: error, ...options, headers });
}

/** 503 for what is new while the platform shuts down, and for what runs and is ended by it. */
export function shuttingDown(): Refusal {
  return new Refusal("draining", { headers: { "retry-after": "5", connection: "close" } });
}

/** What anything that was thrown is answered with: a refusal as it is, a failure without detail. */
export function problemOf(error: unknown, caller: AbortSignal): Refusal {
  if (error instanceof Refusal) return error;
  if (caller.aborted) return new Refusal("request-cancelled");
  if (error instanceof StorageFullError) return new Refusal("storage-full");
  if (error instanceof OverloadedError || error instanceof UnitTimeoutError) {
    return new Refusal("overloaded", { headers: { "retry-after": "1" } });
  }
  if (error instanceof StorageError) {
    return new Refusal("storage-unavailable", {
      detail: `${error.part} ${error.conduct}`,
      headers: { "retry-after": "2" },
    });
  }
  if (error instanceof DuplicateError) return new Refusal("already-exists");
  if (error instanceof ScanStoppedError) {
    // Its caller is still there, so it is the platform that has ended it.
    if (error.reason === "aborted") return shuttingDown();
    return new Refusal("took-too-long", {
      detail: "This was stopped at its time limit: narrow it down by a property that has an index",
      // Long enough that no client asks the same again at once.
      headers: { "retry-after": "30" },
    });
  }
  return new Refusal("internal-error", {
    detail: "The platform failed; its log has more under this request's id",
  });
}
