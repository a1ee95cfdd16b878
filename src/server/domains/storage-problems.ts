import { Refusal } from "#contract/problems.ts";
import { shuttingDown } from "../work/refusals.ts";
import {
  DuplicateError,
  OverloadedError,
  ReadOnlyError,
  ScanStoppedError,
  StorageError,
  StorageFullError,
  UnitTimeoutError,
} from "../kit/storage-errors.ts";

/** The problem for any error: a refusal as it is, a storage error by its kind, others as 500. */
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
      headers: { "retry-after": error instanceof ReadOnlyError ? "30" : "2" },
    });
  }
  if (error instanceof DuplicateError) return new Refusal("already-exists");
  if (error instanceof ScanStoppedError) {
    // The caller is still connected, so the drain has stopped the read.
    if (error.reason === "aborted") return shuttingDown();
    return new Refusal("took-too-long", {
      detail: "This was stopped at its time limit: narrow it down by a property that has an index",
      // The delay is so long that no client repeats the same slow read at once.
      headers: { "retry-after": "30" },
    });
  }
  return new Refusal("internal-error", {
    detail: "The platform failed; its log has more under this request's id",
  });
}
