import { ModelError } from "./model-error.ts";

/** Longest `Retry-After` that is reported. */
const longestRetryAfterMs = 10 * 60_000;

/** The provider's error as a `ModelError` without its message, which may quote a secret. */
export function modelErrorOf(error: unknown): ModelError {
  const own = ownErrorIn(error);
  if (own !== undefined) return own;
  const status = statusOf(error);
  if (status === undefined) {
    return new ModelError(isMalformed(error) ? "malformed" : "unreachable", { cause: error });
  }
  const retryAfterMs = retryAfterOf(error);
  const options = { detail: `HTTP ${status}`, retryAfterMs, cause: error };
  if (status === 429) return new ModelError("rate-limited", options);
  if (status === 408) return new ModelError("timed-out", options);
  if (status >= 500) return new ModelError("failed", options);
  // 2xx: the body is not what the interface has.
  return new ModelError(status < 300 ? "malformed" : "refused", options);
}

/** An error part in the stream, e.g. `{"error":{"message":"overloaded"}}`. */
export function streamErrorOf(error: unknown): ModelError {
  const own = ownErrorIn(error);
  if (own !== undefined) return own;
  if (nameOf(error) === "AI_InvalidResponseDataError") {
    return new ModelError("cut-off", { cause: error });
  }
  return new ModelError(isMalformed(error) ? "malformed" : "failed", { cause: error });
}

function ownErrorIn(error: unknown): ModelError | undefined {
  let next = error;
  for (let depth = 0; depth < 5 && next instanceof Error; depth += 1) {
    if (next instanceof ModelError) return next;
    next = next.cause;
  }
  return undefined;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function isMalformed(error: unknown): boolean {
  return /^(?:AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)|SyntaxError)/.test(
    nameOf(error),
  );
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}

function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("responseHeaders" in error)) return undefined;
  const { responseHeaders } = error;
  if (typeof responseHeaders !== "object" || responseHeaders === null) return undefined;
  const given = new Map(Object.entries(responseHeaders)).get("retry-after");
  if (typeof given !== "string" || !/^\d{1,6}$/.test(given.trim())) return undefined;
  return Math.min(Number(given) * 1_000, longestRetryAfterMs);
}
