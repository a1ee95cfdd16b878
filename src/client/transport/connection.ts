import { credentialWords, ProxyRefusal } from "#lib/network/proxy-refusal.ts";
import { BodyLateError, BodyTooLargeError } from "#lib/network/bounded-body.ts";

export const noServerWords = "no server listens at this address";

/** Reasons by error code; the runtime's error is dropped, since it may have the token. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: noServerWords,
  ConnectionRefused: noServerWords,
  FailedToOpenSocket: "the connection could not be opened",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "the connection timed out",
  ECONNRESET: "the connection was closed before the response ended",
  ConnectionClosed: "the connection was closed before the response ended",
  EPIPE: "the connection was closed while the request was sent",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the network",
  UnsupportedProxyProtocol: "the proxy's address is not http or https",
  EPROTO: "the TLS handshake failed",
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  CERT_NOT_YET_VALID: "its TLS certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its TLS certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its TLS certificate chain is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its TLS certificate can't be verified",
  UNABLE_TO_GET_ISSUER_CERT: "the issuer of its TLS certificate is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the issuer of its TLS certificate is not known",
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for another host",
  ZlibError: "the compressed response is damaged",
};

/** The server may have a certificate of a company's own issuer. */
const untrustedCodes: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

const trustWords = "NODE_EXTRA_CA_CERTS can name a file of certificates to trust";

/** Failures before anything was sent: a retry has no second effect. */
const neverSentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ConnectionRefused",
  "FailedToOpenSocket",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UnsupportedProxyProtocol",
]);

/** Failures of authentication: a retry fails again. */
const hopelessCode = /CERT|SIGNATURE|ISSUER|EPROTO|TLS/;

export interface ConnectionFailure {
  /** The cause as the end of a sentence. */
  readonly reason: string;
  readonly neverSent: boolean;
  readonly hopeless: boolean;
}

/**
 * The failure of a connection; reads only the error's code, since its message may have secrets.
 * `proxyVariable` is the variable that names the proxy of the request, if it had one.
 */
export function connectionFailure(error: unknown, proxyVariable?: string): ConnectionFailure {
  if (error instanceof ProxyRefusal) {
    const hopeless = error.status === 407;
    const proxy = proxyVariable === undefined ? "the proxy" : named(proxyVariable);
    const reason = `${proxy} ${error.predicate}${hopeless ? `: ${credentialWords}` : ""}`;
    return { reason, neverSent: true, hopeless };
  }
  const code = errorCode(error) ?? errorCode(error instanceof Error ? error.cause : undefined);
  const reason = words[code ?? ""] ?? "the connection failed";
  const neverSent = neverSentCodes.has(code ?? "") && !isTransfer(error);
  return {
    reason: proxyReason(
      untrustedCodes.has(code ?? "") ? `${reason}: ${trustWords}` : reason,
      neverSent,
      proxyVariable,
    ),
    neverSent,
    hopeless: hopelessCode.test(code ?? ""),
  };
}

function named(proxyVariable: string): string {
  return `the proxy that ${proxyVariable} names`;
}

/** The part of a sentence that names the proxy of a request. */
export function through(proxyVariable: string): string {
  return ` (through ${named(proxyVariable)})`;
}

/** A request that was never sent failed at the proxy, not at the platform. */
function proxyReason(reason: string, neverSent: boolean, variable: string | undefined): string {
  if (variable === undefined) return reason;
  if (!neverSent) return `${reason}${through(variable)}`;
  return `${named(variable)} can't be reached: ${reason}`;
}

/** True if an open connection failed: a host can become unreachable after a request was sent. */
function isTransfer(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((one) => {
    if (typeof one !== "object" || one === null || !("syscall" in one)) return false;
    return one.syscall === "read" || one.syscall === "write";
  });
}

/** The reason why a response's body can't be read; completes a sentence. */
export function bodyFailure(error: unknown): string {
  if (error instanceof BodyTooLargeError) return "it is too large";
  return error instanceof BodyLateError ? "it does not end" : connectionFailure(error).reason;
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
