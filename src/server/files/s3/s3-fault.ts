import { FileStoreError, StorageFullError, type StorageError } from "../../kit/storage-errors.ts";
import { parseAnswer } from "./xml-response.ts";

/**
 * What an S3-compatible store refused or failed at. Messages are our own words and the store's
 * error code: what it writes itself may repeat keys and what was signed.
 */
export class S3Fault extends FileStoreError {
  constructor(
    message: string,
    conduct: string,
    /** Undefined where no answer came. */
    readonly status: number | undefined,
    readonly code: string | undefined,
    /** Whether the same request may go well in a moment. */
    readonly isTransient: boolean,
    /** What the store asked to wait for, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message, conduct);
  }
}

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** Codes that S3 gives with status 400 although only the moment was wrong. */
const transientCodes: ReadonlySet<string> = new Set([
  "RequestTimeout",
  "SlowDown",
  "InternalError",
  "ServiceUnavailable",
  "OperationAborted",
  "XAmzContentSHA256Mismatch",
  "BadDigest",
  "IncompleteBody",
]);
const fullCodes: ReadonlySet<string> = new Set([
  "QuotaExceeded",
  "XMinioStorageFull",
  "XMinioAdminBucketQuotaExceeded",
  "InsufficientStorage",
]);

/** What an operator can do about it, by S3's code. */
const words: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "the file store does not know the access key",
  SignatureDoesNotMatch: "the secret access key is not the access key's",
  AccessDenied: "the access key may not do this",
  ExpiredToken: "the session token has expired",
  InvalidToken: "the file store does not know the session token",
  RequestTimeTooSkewed: "the file store's clock and this machine's are more than 15 minutes apart",
  NoSuchBucket: "the bucket does not exist",
  NoSuchUpload: "the file store no longer knows the multipart upload",
  NoSuchKey: "the object does not exist",
  AuthorizationHeaderMalformed: "the bucket is in another region than the files URL says",
  PermanentRedirect: "the bucket is at another endpoint than the files URL says",
  TemporaryRedirect: "the bucket is at another endpoint than the files URL says",
  EntityTooLarge: "the file is larger than the file store takes",
  XAmzContentSHA256Mismatch: "the bytes changed on their way to the file store",
  BadDigest: "the bytes changed on their way to the file store",
};

/** A fault from an answer that is not a success; `body` is what came of its body. */
export function faultOfAnswer(
  action: string,
  status: number,
  body: string,
  retryAfterMs?: number,
): StorageError {
  const document = parseAnswer(body);
  const code = document?.root === "Error" ? codeOf(document.values.get("Code")) : undefined;
  if (status === 507 || (code !== undefined && fullCodes.has(code))) {
    return new StorageFullError(`Could not ${action}: the file store is full`);
  }
  const isTransient = transientStatuses.has(status) || transientCodes.has(code ?? "");
  const reason = words[code ?? ""] ?? reasonOf(status);
  const named = code === undefined ? `HTTP ${status}` : code;
  return new S3Fault(
    `Could not ${action}: ${reason} (${named})`,
    conductOf(status, isTransient),
    status,
    code,
    isTransient,
    retryAfterMs,
  );
}

/** A fault from a request that got no answer, or not all of one. */
export function faultOfConnection(action: string, error: unknown): S3Fault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const named = /^[A-Za-z_]{1,64}$/.test(code) ? ` (${code})` : "";
  // A wrong certificate or host name does not mend by itself; all else about a line may.
  const isTransient = !/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS_ALTNAME/.test(code);
  const reason = isTransient ? "the file store does not answer" : "its certificate is not trusted";
  return new S3Fault(
    `Could not ${action}: ${reason}${named}`,
    isTransient ? "does not answer" : "is not trusted",
    undefined,
    named === "" ? undefined : code,
    isTransient,
  );
}

/** An answer that S3 does not give: something else listens there. */
export function faultOfForm(action: string, what: string): S3Fault {
  return new S3Fault(
    `Could not ${action}: the file store's answer is not S3's (${what})`,
    "does not answer as S3 does",
    undefined,
    undefined,
    false,
  );
}

function codeOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9]{1,64}$/.test(text) ? text : undefined;
}

function conductOf(status: number, isTransient: boolean): string {
  if (!isTransient) return status >= 500 ? "fails" : "refuses the platform's requests";
  return status === 429 || status === 503 ? "is busy" : "fails";
}

function reasonOf(status: number): string {
  if (status === 401 || status === 403) return "the file store refuses the access key";
  if (status === 404) return "the bucket or object does not exist";
  if (status >= 300 && status < 400) return "the bucket is elsewhere than the files URL says";
  if (status === 429 || status === 503) return "the file store is busy";
  return status >= 500 ? "the file store failed" : "the file store refused";
}
