import { createRemoteJWKSet, jwtVerify, type JWTPayload } from "jose";
import { Refusal } from "#contract/problems.ts";
import { tokenAudience } from "#contract/sign-in.ts";
import { isStorable } from "../../kit/storable-text.ts";
import { invalidToken, tokenRefusal } from "./refusals.ts";

/** Signature algorithms that providers use; never `none`, never a shared secret. */
const algorithms = ["ES256", "ES384", "RS256", "RS384", "RS512", "PS256", "PS384", "EdDSA"];
const requestTimeoutMs = 5_000;
const clockToleranceSeconds = 10;
/** After a failure the provider is left alone for this long. */
const retryAfterMs = 2_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Who an external token speaks for. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly displayName: string | undefined;
  readonly expiresAtMs: number;
}

/** Checks the tokens of an OpenID provider that is not ours, by its discovery document and JWKS. */
export class ExternalIssuer {
  readonly #issuer: string;
  readonly #now: () => Date;
  #keys: Promise<KeySet> | undefined;

  constructor(issuer: string, now: () => Date) {
    this.#issuer = issuer;
    this.#now = now;
  }

  async verify(token: string): Promise<ExternalIdentity> {
    const keys = await this.#keySet();
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, keys, {
        issuer: this.#issuer,
        audience: tokenAudience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ["sub", "exp"],
        currentDate: this.#now(),
      }));
    } catch (error) {
      throw tokenRefusal(error);
    }
    const { sub, exp = 0 } = payload;
    const subject = text(sub);
    if (subject === undefined) throw invalidToken();
    return {
      issuer: this.#issuer,
      subject,
      email: text(payload["email"]) ?? text(payload["preferred_username"]),
      isEmailVerified: payload["email_verified"] === true,
      displayName: text(payload["name"]),
      expiresAtMs: exp * 1000,
    };
  }

  async #keySet(): Promise<KeySet> {
    if (this.#keys === undefined) {
      const loading = this.#discover();
      this.#keys = loading;
      loading.catch(() => {
        setTimeout(() => {
          if (this.#keys === loading) this.#keys = undefined;
        }, retryAfterMs).unref();
      });
    }
    return this.#keys;
  }

  async #discover(): Promise<KeySet> {
    const address = `${this.#issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    try {
      const response = await fetch(address, {
        redirect: "error",
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      const document: unknown = await response.json();
      if (!response.ok || !isDiscovery(document) || document.issuer !== this.#issuer) {
        throw new TypeError("the discovery document does not fit the issuer");
      }
      return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: requestTimeoutMs });
    } catch (error) {
      throw new Refusal("storage-unavailable", {
        detail: "Cannot check access tokens: the identity provider does not answer as one",
        headers: { "retry-after": "2" },
        cause: error,
      });
    }
  }
}

function isDiscovery(value: unknown): value is { issuer: string; jwks_uri: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "issuer" in value &&
    "jwks_uri" in value &&
    typeof value.issuer === "string" &&
    typeof value.jwks_uri === "string"
  );
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && isStorable(value) ? value : undefined;
}
