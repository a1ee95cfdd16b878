const mebibyte = 1024 * 1024;

/** Every bound that an operator may move. */
export interface Limits {
  /** Bytes of a JSON body. */
  readonly jsonBodyBytes: number;
  /** Bytes of one upload request. */
  readonly uploadBytes: number;
  /** Requests at work at once; one more is answered 503. */
  readonly runningRequests: number;
  /** Event streams that one caller may have open at once. */
  readonly streamsPerCaller: number;
  /** Requests that one caller may make in `rateWindowSeconds`. */
  readonly rateRequests: number;
  readonly rateWindowSeconds: number;
  /** Sign-in, token and device requests that one address may make in `signInWindowSeconds`. */
  readonly signInRequests: number;
  readonly signInWindowSeconds: number;
  /** Wrong passwords for one account from one address before it has to wait. */
  readonly passwordAttempts: number;
  /** How long an access token is good for, in seconds. */
  readonly accessTokenSeconds: number;
  /** How long a refresh token is good for since its last use, in seconds. */
  readonly refreshTokenSeconds: number;
  /** How long a filter that no index serves may take before the index plan names it, in ms. */
  readonly slowFilterMs: number;
  /** Between two `: ping` comments of an event stream, in milliseconds. */
  readonly pingIntervalMs: number;
}

/**
 * Rate limits bound a caller that has run wild, not one that is fast: 100,000 requests a second is
 * above what one platform serves.
 */
export const defaultLimits: Limits = {
  jsonBodyBytes: 8 * mebibyte,
  uploadBytes: 64 * 1024 * mebibyte,
  runningRequests: 10_000,
  streamsPerCaller: 1_000,
  rateRequests: 1_000_000,
  rateWindowSeconds: 10,
  signInRequests: 300,
  signInWindowSeconds: 60,
  passwordAttempts: 5,
  accessTokenSeconds: 60 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  slowFilterMs: 100,
  pingIntervalMs: 15_000,
};
