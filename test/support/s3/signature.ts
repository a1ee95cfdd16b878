import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The signed parts of a request as sent. */
export interface SignedRequest {
  readonly method: string;
  /** The path as sent, percent-encoded. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
}

/** A refusal with the code and status that S3 uses for it. */
export class S3Refusal extends Error {
  override readonly name = "S3Refusal";
  constructor(
    readonly code: string,
    readonly status: number,
    message: string = code,
  ) {
    super(message);
  }
}

export interface VerifiedRequest {
  readonly accessKeyId: string;
  /** The body's SHA-256 as 64 hexadecimal digits, or `UNSIGNED-PAYLOAD`. */
  readonly payload: string;
}

export interface Verifier {
  readonly secretOf: (accessKeyId: string) => string | undefined;
  readonly region: string;
  readonly nowMs: number;
}

export const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const algorithm = "AWS4-HMAC-SHA256";
const skewLimitMs = 15 * 60 * 1000;
const longestPresignSeconds = 7 * 24 * 60 * 60;

/**
 * Checks AWS Signature Version 4 of a header-signed or presigned request; throws the refusal that
 * S3 gives. Only what a signature may say is checked here: the body's own hash is its reader's job.
 */
export function verifySignature(request: SignedRequest, verifier: Verifier): VerifiedRequest {
  const query = parseQuery(request.query);
  const authorization = request.headers.get("authorization");
  const isPresigned = query.some(([name]) => name === "X-Amz-Signature");
  if (authorization !== null && isPresigned) {
    throw new S3Refusal("InvalidArgument", 400, "Only one way of signing is allowed");
  }
  if (isPresigned) return verifyPresigned(request, query, verifier);
  if (authorization === null) throw new S3Refusal("AccessDenied", 403, "Nothing is signed");
  return verifyHeaders(request, query, authorization, verifier);
}

function verifyHeaders(
  request: SignedRequest,
  query: Query,
  authorization: string,
  verifier: Verifier,
): VerifiedRequest {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^\s,]+), ?SignedHeaders=([^\s,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  const [, credential = "", signedHeaders = "", signature = ""] = match ?? [];
  if (match === null) throw new S3Refusal("AuthorizationHeaderMalformed", 400);
  const time = request.headers.get("x-amz-date") ?? "";
  const scope = parseCredential(credential, time, verifier);
  if (Math.abs(verifier.nowMs - timeOf(time)) > skewLimitMs) {
    throw new S3Refusal("RequestTimeTooSkewed", 403);
  }
  const payload = request.headers.get("x-amz-content-sha256");
  if (payload === null) throw new S3Refusal("MissingSecurityHeader", 400);
  if (payload !== "UNSIGNED-PAYLOAD" && !/^[0-9a-f]{64}$/.test(payload)) {
    // The chunk-signed STREAMING-… forms: neither the product nor the runtime's own client uses
    // one.
    throw new S3Refusal("NotImplemented", 501);
  }
  const names = signedHeaders.split(";");
  requireSigned(names, request.headers);
  const expected = signatureOf(request, { names, query, payload, time, scope });
  requireEqual(expected, signature);
  return { accessKeyId: scope.accessKeyId, payload };
}

function verifyPresigned(
  request: SignedRequest,
  query: Query,
  verifier: Verifier,
): VerifiedRequest {
  const value = (name: string): string => {
    const found = query.filter(([each]) => each === name);
    const [first] = found;
    if (first === undefined || found.length > 1) {
      throw new S3Refusal("AuthorizationQueryParametersError", 400, `${name} must be given once`);
    }
    return first[1];
  };
  if (value("X-Amz-Algorithm") !== algorithm) {
    throw new S3Refusal("AuthorizationQueryParametersError", 400);
  }
  const time = value("X-Amz-Date");
  const scope = parseCredential(value("X-Amz-Credential"), time, verifier);
  const seconds = Number(value("X-Amz-Expires"));
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > longestPresignSeconds) {
    throw new S3Refusal("AuthorizationQueryParametersError", 400, "X-Amz-Expires is out of range");
  }
  const signedAtMs = timeOf(time);
  if (signedAtMs - verifier.nowMs > skewLimitMs) throw new S3Refusal("RequestTimeTooSkewed", 403);
  if (verifier.nowMs > signedAtMs + seconds * 1000) {
    throw new S3Refusal("AccessDenied", 403, "Request has expired");
  }
  const names = value("X-Amz-SignedHeaders").split(";");
  requireSigned(names, request.headers);
  const payload = request.headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
  const unsigned = query.filter(([name]) => name !== "X-Amz-Signature");
  const expected = signatureOf(request, { names, query: unsigned, payload, time, scope });
  requireEqual(expected, value("X-Amz-Signature"));
  return { accessKeyId: scope.accessKeyId, payload };
}

interface Scope {
  readonly accessKeyId: string;
  readonly secret: string;
  readonly text: string;
  readonly parts: readonly string[];
}

function parseCredential(credential: string, time: string, verifier: Verifier): Scope {
  const [accessKeyId = "", ...parts] = credential.split("/");
  const [date, region, service, end] = parts;
  const secret = verifier.secretOf(accessKeyId);
  if (secret === undefined) throw new S3Refusal("InvalidAccessKeyId", 403);
  if (region !== verifier.region) throw new S3Refusal("AuthorizationHeaderMalformed", 400);
  const isWhole = parts.length === 4 && service === "s3" && end === "aws4_request";
  if (!isWhole || date !== time.slice(0, 8)) {
    throw new S3Refusal("AuthorizationHeaderMalformed", 400);
  }
  return { accessKeyId, secret, parts, text: parts.join("/") };
}

/** `host` and every `x-amz-…` field must be covered, or they could be changed on the way. */
function requireSigned(names: readonly string[], headers: Headers): void {
  const required = ["host", ...[...headers.keys()].filter((name) => name.startsWith("x-amz-"))];
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) {
    throw new S3Refusal("AccessDenied", 403, `The header ${missing} is not signed`);
  }
}

function requireEqual(expected: string, given: string): void {
  const isSame =
    expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
  if (!isSame) throw new S3Refusal("SignatureDoesNotMatch", 403);
}

interface Canonical {
  readonly names: readonly string[];
  readonly query: Query;
  readonly payload: string;
  readonly time: string;
  readonly scope: Scope;
}

function signatureOf(request: SignedRequest, canonical: Canonical): string {
  const { names, query, payload, time, scope } = canonical;
  const text = [
    request.method,
    request.path.split("/").map(reencoded).join("/"),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${fieldOf(request.headers, name)}`),
    "",
    names.join(";"),
    payload,
  ].join("\n");
  const hash = createHash("sha256").update(text).digest("hex");
  const key = scope.parts.reduce<Buffer>(hmac, Buffer.from(`AWS4${scope.secret}`));
  return hmac(key, [algorithm, time, scope.text, hash].join("\n")).toString("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function fieldOf(headers: Headers, name: string): string {
  return (headers.get(name) ?? "").trim().replace(/ +/g, " ");
}

type Query = readonly (readonly [name: string, value: string])[];

export function parseQuery(query: string): Query {
  if (query === "") return [];
  return query.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at < 0
      ? ([decoded(pair), ""] as const)
      : ([decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))] as const);
  });
}

function canonicalQuery(query: Query): string {
  return query
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Refusal("InvalidURI", 400);
  }
}

/** RFC 3986: everything but letters, digits, `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function reencoded(segment: string): string {
  return encoded(decoded(segment));
}

/** A time such as `20130524T000000Z`, in milliseconds. */
function timeOf(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (match === null) throw new S3Refusal("AccessDenied", 403, "The time of signing is malformed");
  const [, year, month, day, hour, minute, second] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
