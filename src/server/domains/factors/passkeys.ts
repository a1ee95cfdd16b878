import * as z from "zod";
import type { Database, Writer } from "../../database/database.ts";
import { noteChange } from "../../kit/change-note.ts";
import type { User } from "../identity/service.ts";
import { tokenDigest } from "../secrets/service.ts";
import {
  insertChallenge,
  isChallenge,
  takeChallenge,
  useCounter,
  type Challenge,
} from "./passkey-store.ts";
import { newFactor } from "./new-factor.ts";
import type { Site } from "./site.ts";
import type { FactorRow } from "./store.ts";

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
      readonly database: Database;
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
    return this.#withChallenge(challenge, user.oid, "create", async (writer) => {
      await this.parts.factors.insert(writer, row);
      const recoveryCodes = await this.parts.factors.started(writer, user.oid);
      noteChange({
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

  /** Whether one of the user's passkeys has answered a challenge, for the first time. */
  async use(user: User, site: Site, credential: string): Promise<boolean> {
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
    const used = await this.#withChallenge(challenge, user.oid, "get", async (writer) => {
      const isLater = await useCounter(writer, row.id, newCounter, this.#now());
      if (!isLater) throw new AnsweredBefore();
      noteChange({ target: { oid: user.oid, factorId: row.id, kind: row.kind } });
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
    await this.parts.database.write((writer) => insertChallenge(writer, row));
  }

  /** Only looks: a failed try writes nothing, and the change itself takes the challenge. */
  #isExpected(challenge: string, oid: string, purpose: string): Promise<boolean> {
    return isChallenge(this.parts.database.read, this.#challenge(challenge, oid, purpose));
  }

  /** Undefined, and nothing is written, if another request has answered the challenge. */
  async #withChallenge<T>(
    challenge: string,
    oid: string,
    purpose: string,
    work: (writer: Writer) => Promise<T>,
  ): Promise<T | undefined> {
    const expected = this.#challenge(challenge, oid, purpose);
    try {
      return await this.parts.database.write(async (writer) => {
        if (!(await takeChallenge(writer, expected))) throw new AnsweredBefore();
        return work(writer);
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

/** A challenge that another request has answered, or a passkey that does not count on. */
class AnsweredBefore extends Error {}

/** Loaded at the first use. Without its roots no certificate leads to a request to its issuer. */
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
