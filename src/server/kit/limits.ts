const mebibyte = 1024 * 1024;

/** Every bound that an operator may set. */
export interface Limits {
  readonly jsonBodyBytes: number;
  readonly uploadBytes: number;
  /** Requests that run at the same time; one more is answered with 503. */
  readonly runningRequests: number;
  /** Jobs of one workspace that wait for a worker; one more is answered with 429. */
  readonly waitingJobs: number;
  /** Bytes of all answers under way; a list that would need more is answered with 503. */
  readonly answerBytes: number;
  /** Event streams that one caller may have open at the same time. */
  readonly streamsPerCaller: number;
  /** Event streams of one workspace at this platform; one more is answered with 429. */
  readonly streamsPerWorkspace: number;
  /** Event streams of this platform; one more is answered with 503. */
  readonly streams: number;
  /** Requests that one caller may make in `rateWindowSeconds`. */
  readonly rateRequests: number;
  readonly rateWindowSeconds: number;
  /** Sign-in, token and device requests that one address may make in `signInWindowSeconds`. */
  readonly signInRequests: number;
  readonly signInWindowSeconds: number;
  /** Wrong passwords for one account from one address before a delay. */
  readonly passwordAttempts: number;
  readonly accessTokenSeconds: number;
  /** The age at which the key that signs tokens is replaced. */
  readonly signingKeySeconds: number;
  /** Lifetime of a refresh token after its last use. */
  readonly refreshTokenSeconds: number;
  /** The index plan lists a filter without an index that takes longer. */
  readonly slowFilterMs: number;
  /** How long a deleted workspace can be restored. */
  readonly restorableSeconds: number;
  /** How long deleted records, documents and files can be restored; 0: not at all. */
  readonly trashDays: number;
  /** How long entries of the audit log are kept. */
  readonly auditDays: number;
  /** How long changes are kept in the feed. */
  readonly feedDays: number;
  /** Bytes of the feed of one workspace; its oldest changes are removed beyond them. */
  readonly feedBytes: number;
  /** The time between two `: ping` comments of an event stream. */
  readonly pingIntervalMs: number;
  /** The time in which a webhook endpoint must have answered. */
  readonly webhookTimeoutMs: number;
}

/**
 * The rate limit stops a client in a loop: one platform serves fewer than 100,000 requests per
 * second.
 */
export const defaultLimits: Limits = {
  jsonBodyBytes: 8 * mebibyte,
  uploadBytes: 64 * 1024 * mebibyte,
  runningRequests: 10_000,
  waitingJobs: 10_000,
  answerBytes: 64 * mebibyte,
  streamsPerCaller: 1_000,
  streamsPerWorkspace: 15_000,
  streams: 30_000,
  rateRequests: 1_000_000,
  rateWindowSeconds: 10,
  signInRequests: 300,
  signInWindowSeconds: 60,
  passwordAttempts: 5,
  accessTokenSeconds: 60 * 60,
  signingKeySeconds: 90 * 24 * 60 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  slowFilterMs: 100,
  restorableSeconds: 30 * 24 * 60 * 60,
  trashDays: 7,
  auditDays: 400,
  feedDays: 7,
  feedBytes: 256 * mebibyte,
  pingIntervalMs: 15_000,
  webhookTimeoutMs: 20_000,
};

const dayMs = 24 * 60 * 60 * 1000;

/** The time until which what is deleted now can be restored; undefined without a trash. */
export function restorableUntil(now: Date, trashDays: number): string | undefined {
  return trashDays > 0 ? new Date(now.getTime() + trashDays * dayMs).toISOString() : undefined;
}
