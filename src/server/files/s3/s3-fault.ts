import { FileStoreError, StorageFullError, type StorageError } from "../../kit/storage-errors.ts";
import { parseXmlResponse } from "./xml-response.ts";

/**
 * A failed request to an S3 store. Messages quote only the store's error code, because its own
 * text may repeat keys and signed data.
 */
export class S3Fault extends FileStoreError {
  constructor(
    message: string,
    conduct: string,
    /** The HTTP status; undefined without a response. */
    readonly status: number | undefined,
    readonly code: string | undefined,
    /** True if a retry may succeed. */
    readonly isTransient: boolean,
    readonly retryAfterMs?: number,
  ) {
    super(message, conduct);
  }
}

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** Codes of transient errors that S3 sends with status 400. */
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

/** Reasons by S3's code, for the operator. */
const reasons: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "the file store does not know the access key",
  SignatureDoesNotMatch: "the secret access key does not belong to the access key",
  AccessDenied: "the access key does not allow this",
  ExpiredToken: "the session token has expired",
  InvalidToken: "the file store does not know the session token",
  RequestTimeTooSkewed: "the file store's clock and this machine's are more than 15 minutes apart",
  NoSuchBucket: "the bucket does not exist",
  NoSuchUpload: "the file store no longer knows the multipart upload",
  NoSuchKey: "the object does not exist",
  AuthorizationHeaderMalformed: "the bucket is in another region than the files URL says",
  PermanentRedirect: "the bucket is at another endpoint than the files URL says",
  TemporaryRedirect: "the bucket is at another endpoint than the files URL says",
  EntityTooLarge: "the file is larger than the file store accepts",
  XAmzContentSHA256Mismatch: "the bytes changed on their way to the file store",
  BadDigest: "the bytes changed on their way to the file store",
};

/** The fault of a response that is not a success; `body` may be incomplete. */
export function faultOfResponse(
  action: string,
  status: number,
  body: string,
  retryAfterMs?: number,
): StorageError {
  const document = parseXmlResponse(body);
  const code = document?.root === "Error" ? codeOf(document.values.get("Code")) : undefined;
  if (status === 507 || (code !== undefined && fullCodes.has(code))) {
    return new StorageFullError(`Could not ${action}: the file store is full`);
  }
  const isTransient = transientStatuses.has(status) || transientCodes.has(code ?? "");
  const reason = reasons[code ?? ""] ?? reasonOf(status);
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

/** The fault of a request without a complete response. */
export function faultOfConnection(action: string, error: unknown): S3Fault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const named = /^[A-Za-z_]{1,64}$/.test(code) ? ` (${code})` : "";
  // A wrong certificate or host name is permanent; other connection errors are not.
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

/** The fault of a response that S3 does not send: another server listens at this address. */
export function faultOfForm(action: string, what: string): S3Fault {
  return new S3Fault(
    `Could not ${action}: the file store does not answer like S3 (${what})`,
    "does not answer like S3",
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
  if (status >= 300 && status < 400)
    return "the bucket is at another endpoint than the files URL says";
  if (status === 429 || status === 503) return "the file store is busy";
  return status >= 500 ? "the file store failed" : "the file store refused";
}
