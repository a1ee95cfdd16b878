import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import * as z from "zod";
import { tokenAudience } from "#contract/access/sign-in.ts";
import { isEmailAddress } from "#lib/email-address.ts";
import { isStorable } from "../../kit/storable-text.ts";
import { invalidToken, type ExternalIdentity } from "../identity/service.ts";
import { providerUnavailable, tokenFailure } from "./refusals.ts";
import { keptPromise } from "../../kit/background.ts";

/** Signature algorithms that providers use; never `none`, never a shared secret. */
const algorithms = ["ES256", "ES384", "RS256", "RS384", "RS512", "PS256", "PS384", "EdDSA"];
const requestTimeoutMs = 5_000;
const clockToleranceSeconds = 10;
/** After a failure no request goes to the provider for this long. */
const retryAfterMs = 2_000;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Checks the tokens of another OpenID provider, by its discovery document and JWKS. */
export class ExternalIssuer {
  #keys: Promise<KeySet> | undefined;

  constructor(
    private readonly issuer: string,
    private readonly now: () => Date,
    private readonly audience = tokenAudience,
  ) {}

  async verify(token: string): Promise<ExternalIdentity & { readonly expiresAtMs: number }> {
    const keys = await this.#keySet();
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, (header, jws) => keyOf(keys, header, jws), {
        issuer: this.issuer,
        audience: this.audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ["sub", "exp"],
        currentDate: this.now(),
      }));
    } catch (error) {
      throw tokenFailure(error);
    }
    const { sub, exp = 0 } = payload;
    const subject = text(sub);
    if (subject === undefined) throw invalidToken();
    const address = text(payload["email"]);
    const email = address !== undefined && isEmailAddress(address) ? address : undefined;
    return {
      issuer: this.issuer,
      subject,
      email,
      isEmailVerified: email !== undefined && isVerified(payload),
      // Users may choose `preferred_username` (OpenID Connect Core, 5.7): it proves no address.
      displayName: text(payload["name"]) ?? text(payload["preferred_username"]),
      issuedAt: typeof payload.iat === "number" ? payload.iat : undefined,
      claims: payload,
      expiresAtMs: exp * 1000,
    };
  }

  async #keySet(): Promise<KeySet> {
    if (this.#keys === undefined) {
      const loading = this.#discover();
      this.#keys = keptPromise(loading);
      loading.catch(() => {
        setTimeout(() => {
          if (this.#keys === loading) this.#keys = undefined;
        }, retryAfterMs).unref();
      });
    }
    return this.#keys;
  }

  async #discover(): Promise<KeySet> {
    const address = `${this.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    try {
      const response = await fetch(address, {
        redirect: "error",
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      const document = discovery.parse(await response.json());
      if (!response.ok || document.issuer !== this.issuer) {
        throw new TypeError("the discovery document is not the issuer's");
      }
      return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: requestTimeoutMs });
    } catch (error) {
      throw providerUnavailable("the identity provider sends no valid discovery document", error);
    }
  }
}

/** The faults of the token itself; every other failure is one of the provider. */
const tokenFaults = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

async function keyOf(keys: KeySet, ...given: Parameters<KeySet>): ReturnType<KeySet> {
  try {
    return await keys(...given);
  } catch (error) {
    if (tokenFaults.some((fault) => error instanceof fault)) throw error;
    throw providerUnavailable("the identity provider sends no valid keys", error);
  }
}

/** Entra ID says by `xms_edov` that the owner of the address's domain is verified. */
function isVerified({ email_verified: verified, xms_edov: edov }: JWTPayload): boolean {
  return verified === true || edov === true || edov === 1 || edov === "1";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && isStorable(value) ? value : undefined;
}
