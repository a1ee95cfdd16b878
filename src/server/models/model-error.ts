/** Why a call of a model failed; only `refused` will fail again with the same request. */
export type ModelFailure =
  | "unreachable"
  | "timed-out"
  | "rate-limited"
  | "failed"
  | "refused"
  | "malformed"
  | "cut-off"
  | "paused";

const sentences: Readonly<Record<ModelFailure, string>> = {
  unreachable: "The model endpoint cannot be reached",
  "timed-out": "The model endpoint did not answer in time",
  "rate-limited": "The model endpoint has too many requests",
  failed: "The model endpoint failed",
  refused: "The model endpoint refused the request",
  malformed: "The model endpoint sent an answer that cannot be read",
  "cut-off": "The model endpoint ended the answer too early",
  paused: "The model endpoint failed several times and is paused for a moment",
};

/** A failed call of a model. Its message names no address, key or part of a response. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly failure: ModelFailure;
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: ModelFailure,
    options: { detail?: string; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    const { detail, retryAfterMs, cause } = options;
    super(detail === undefined ? sentences[failure] : `${sentences[failure]}: ${detail}`, {
      cause,
    });
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if the same request may succeed later. */
  get isTemporary(): boolean {
    return this.failure !== "refused";
  }
}
