import * as z from "zod";
import type { Writer } from "../../database/database.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { User } from "../identity/service.ts";
import { tokenDigest } from "../secrets/service.ts";
import {
  insertChallenge,
  isChallenge,
  takeChallenge,
  useCounter,
  type Challenge,
  newFactor,
  type FactorRow,
} from "./store.ts";
import type { Site } from "./site.ts";

const challengeMs = 5 * 60 * 1000;
const formatsWithRoots = ["android-key", "android-safetynet", "apple", "mds"] as const;

/** The part of the factors that passkeys need. */
interface FactorOwner {
  active(oid: string): Promise<FactorRow[]>;
  insert(writer: Writer, row: FactorRow): Promise<void>;
  started(writer: Writer, oid: string): Promise<string[] | undefined>;
}

const common = {
  id: z.string().min(1).max(2048),
  rawId: z.string(),
  type: z.literal("public-key"),
};
const extensions = { clientExtensionResults: z.looseObject({}) };
const created = z.object({
  ...common,
  ...extensions,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
});
const shown = z.object({
  ...common,
  ...extensions,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
  }),
});

/**
 * Passkeys (WebAuthn level 2) as second factors, in the browser only. A passkey must verify its
 * user. The maker of the device is not asked for, so no certificate is trusted or fetched.
 */
export class Passkeys {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly factors: FactorOwner;
      readonly now: () => Date;
    },
  ) {}

  /** The options of `navigator.credentials.create()` as JSON. */
  async creationOptions(user: User, site: Site): Promise<string> {
    const { generateRegistrationOptions } = await library();
    const present = await this.#passkeys(user.oid, site.host);
    const options = await generateRegistrationOptions({
      rpName: "svc",
      rpID: site.host,
      userName: user.email,
      userDisplayName: user.display_name,
      userID: new TextEncoder().encode(user.oid),
      attestationType: "none",
      excludeCredentials: present.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
    });
    await this.#remember(options.challenge, user.oid, "create");
    return JSON.stringify(options);
  }

  /**
   * Adds the passkey that the browser has made, and returns recovery codes for an account without;
   * undefined for an answer that is not valid.
   */
  async add(
    work: Work,
    user: User,
    site: Site,
    answer: { readonly name: string; readonly credential: string },
  ): Promise<{ readonly recoveryCodes: readonly string[] } | undefined> {
    const response = parsed(created, answer.credential);
    if (response === undefined) return undefined;
    const { verifyRegistrationResponse } = await library();
    let challenge = "";
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: async (given) => {
        challenge = given;
        return this.#isExpected(given, user.oid, "create");
      },
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (verified?.verified !== true) return undefined;
    const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
    const row: FactorRow = {
      ...newFactor(this.parts.now(), { oid: user.oid, kind: "passkey", name: answer.name }),
      state: "active",
      expires_at: null,
      host: site.host,
      credential_id: id,
      public_key: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: JSON.stringify(transports ?? []),
    };
    const expected = this.#challenge(challenge, user.oid, "create");
    return this.#withChallenge(work, expected, async (tx) => {
      await this.parts.factors.insert(tx, row);
      const recoveryCodes = await this.parts.factors.started(tx, user.oid);
      tx.note({
        action: "factors.addPasskey",
        target: { factorId: row.id, kind: row.kind, host: site.host },
        after: { status: "active" },
      });
      return { recoveryCodes: recoveryCodes ?? [] };
    });
  }

  /** The options of `navigator.credentials.get()` as JSON; undefined without a passkey here. */
  async requestOptions(user: User, site: Site): Promise<string | undefined> {
    const present = await this.#passkeys(user.oid, site.host);
    if (present.length === 0) return undefined;
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: site.host,
      allowCredentials: present.map(({ id, transports }) => ({ id, transports })),
      userVerification: "required",
    });
    await this.#remember(options.challenge, user.oid, "get");
    return JSON.stringify(options);
  }

  /** True if one of the user's passkeys has answered a challenge, for the first time. */
  async use(work: Work, user: User, site: Site, credential: string): Promise<boolean> {
    const response = parsed(shown, credential);
    if (response === undefined) return false;
    const passkey = (await this.#passkeys(user.oid, site.host)).find(
      ({ id }) => id === response.id,
    );
    if (passkey === undefined) return false;
    const { row, id, publicKey } = passkey;
    const { verifyAuthenticationResponse } = await library();
    let challenge = "";
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: async (given) => {
        challenge = given;
        return this.#isExpected(given, user.oid, "get");
      },
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: { id, publicKey, counter: row.counter },
      requireUserVerification: true,
    }).catch(() => undefined);
    if (verified?.verified !== true) return false;
    const { newCounter } = verified.authenticationInfo;
    const expected = this.#challenge(challenge, user.oid, "get");
    const used = await this.#withChallenge(work, expected, async (tx) => {
      const isLater = await useCounter(tx, row.id, newCounter, this.#now());
      if (!isLater) throw new AnsweredBefore();
      tx.note({ target: { oid: user.oid, factorId: row.id, kind: row.kind } });
      return true;
    });
    return used === true;
  }

  async #passkeys(oid: string, host: string) {
    const rows = await this.parts.factors.active(oid);
    return rows.flatMap((row) => {
      const { credential_id: id, public_key: publicKey } = row;
      if (id === null || publicKey === null || row.host !== host) return [];
      const transports = JSON.parse(row.transports ?? "[]") as string[];
      return [{ row, id, publicKey: Buffer.from(publicKey, "base64url"), transports }];
    });
  }

  async #remember(challenge: string, oid: string, purpose: string): Promise<void> {
    const ended = new Date(this.parts.now().getTime() + challengeMs).toISOString();
    const row = { challenge_hash: tokenDigest(challenge), oid, purpose, expires_at: ended };
    await this.parts.platformWork("challenges of passkeys").write((tx) => insertChallenge(tx, row));
  }

  /** Reads only: a failed try writes nothing, and the change itself takes the challenge. */
  #isExpected(challenge: string, oid: string, purpose: string): Promise<boolean> {
    const { read } = this.parts.platformWork("challenges of passkeys");
    return isChallenge(read, this.#challenge(challenge, oid, purpose));
  }

  /** Undefined, and nothing is written, if another request has answered the challenge. */
  async #withChallenge<T>(
    work: Work,
    expected: Challenge,
    unit: (tx: Transaction) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work.write(async (tx) => {
        if (!(await takeChallenge(tx, expected))) throw new AnsweredBefore();
        return unit(tx);
      });
    } catch (error) {
      if (error instanceof AnsweredBefore) return undefined;
      throw error;
    }
  }

  #challenge(challenge: string, oid: string, purpose: string): Challenge {
    return { hash: tokenDigest(challenge), oid, purpose, now: this.#now() };
  }

  #now(): string {
    return this.parts.now().toISOString();
  }
}

/** The challenge was already used, or the passkey's signature counter did not increase. */
class AnsweredBefore extends Error {}

/** The library, without roots: no certificate then leads to a request to its issuer. */
async function library() {
  const webAuthn = await import("@simplewebauthn/server");
  for (const identifier of formatsWithRoots) {
    webAuthn.SettingsService.setRootCertificates({ identifier, certificates: [] });
  }
  return webAuthn;
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
