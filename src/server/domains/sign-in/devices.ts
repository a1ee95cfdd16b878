import type { Database } from "../../database/database.ts";
import {
  deviceCodeByHash,
  deviceCodeByUserCode,
  insertDeviceCode,
  moveDeviceCode,
  notePoll,
  type DeviceCode,
} from "./store.ts";
import { randomText, randomToken, tokenDigest } from "../secrets/service.ts";
import type { GrantedTokens, Grants } from "./grants.ts";
import { ProtocolError } from "./protocol-error.ts";

const lifetimeMs = 10 * 60 * 1000;
const pollIntervalSeconds = 5;
/** Consonants only (RFC 8628, 6.1): no words come out, and none is mistaken for a digit. */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";

export interface DeviceRequest {
  readonly deviceCode: string;
  /** `XXXX-XXXX` */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** Sign-in for machines without a browser (RFC 8628). */
export class Devices {
  readonly #database: Database;
  readonly #grants: Grants;
  readonly #now: () => Date;

  constructor(options: { database: Database; grants: Grants; now: () => Date }) {
    this.#database = options.database;
    this.#grants = options.grants;
    this.#now = options.now;
  }

  async begin(clientId: string, scope: string): Promise<DeviceRequest> {
    const deviceCode = randomToken();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const userCode = `${randomText(alphabet, 4)}-${randomText(alphabet, 4)}`;
      const isNew = await this.#database.write((writer) =>
        insertDeviceCode(writer, {
          device_code_hash: tokenDigest(deviceCode),
          user_code: userCode,
          client_id: clientId,
          scope,
          state: "pending",
          oid: null,
          signed_in_at: null,
          interval_seconds: pollIntervalSeconds,
          polled_at: null,
          expires_at: new Date(this.#now().getTime() + lifetimeMs).toISOString(),
        }),
      );
      if (isNew) {
        return {
          deviceCode,
          userCode,
          expiresInSeconds: lifetimeMs / 1000,
          intervalSeconds: pollIntervalSeconds,
        };
      }
    }
    throw new TypeError("no free user code was found");
  }

  /** The waiting device behind what somebody typed; undefined for none. */
  async find(typed: string): Promise<DeviceCode | undefined> {
    const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, "");
    if (letters.length !== 8) return undefined;
    const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
    const device = await deviceCodeByUserCode(this.#database.read, userCode);
    return device?.state === "pending" && !this.#isOver(device) ? device : undefined;
  }

  /** False when the device is no longer waiting. */
  async decide(
    device: DeviceCode,
    decision: { readonly isApproved: boolean; readonly oid: string; readonly signedInAt: string },
  ): Promise<boolean> {
    const state = decision.isApproved ? "approved" : "denied";
    return this.#database.write((writer) =>
      moveDeviceCode(writer, device.device_code_hash, "pending", state, decision),
    );
  }

  /** One poll of the token endpoint: the tokens once, or why there are none yet. */
  async redeem(deviceCode: string, clientId: string): Promise<GrantedTokens> {
    const hash = tokenDigest(deviceCode);
    const outcome = await this.#database.write(async (writer) => {
      const device = await deviceCodeByHash(writer, hash);
      if (device?.client_id !== clientId) return "invalid_grant" as const;
      if (device.state === "denied") return "access_denied" as const;
      if (device.state === "used") return "invalid_grant" as const;
      if (this.#isOver(device)) return "expired_token" as const;
      if (device.state === "pending") {
        const now = this.#now();
        const last = device.polled_at === null ? 0 : Date.parse(device.polled_at);
        const isEarly = now.getTime() - last < device.interval_seconds * 1000;
        const interval = device.interval_seconds + (isEarly ? 5 : 0);
        await notePoll(writer, hash, now.toISOString(), interval);
        return isEarly ? ("slow_down" as const) : ("authorization_pending" as const);
      }
      if (device.oid === null || device.signed_in_at === null) return "invalid_grant" as const;
      if (!(await moveDeviceCode(writer, hash, "approved", "used"))) {
        return "invalid_grant" as const;
      }
      return this.#grants.grantIn(writer, {
        clientId,
        oid: device.oid,
        scope: device.scope,
        signedInAt: device.signed_in_at,
      });
    });
    if (typeof outcome !== "string") return outcome;
    throw new ProtocolError(outcome, pollMessages[outcome]);
  }

  #isOver(device: DeviceCode): boolean {
    return device.expires_at <= this.#now().toISOString();
  }
}

const pollMessages = {
  invalid_grant: "the device code is not valid",
  access_denied: "the sign-in was refused",
  expired_token: "the device code has expired",
  slow_down: "the device polls too often",
  authorization_pending: "nobody has decided yet",
} as const;
