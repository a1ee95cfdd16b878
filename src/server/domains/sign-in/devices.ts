import type { Transaction, Work } from "../../work/work.ts";
import { newSecret, randomToken, tokenDigest } from "../secrets/service.ts";
import type { GrantedTokens, Grants } from "./grants.ts";
import { ProtocolError } from "./protocol-error.ts";
import {
  deviceCodeByUserCode,
  insertRow,
  moveDeviceCode,
  notePoll,
  rowByHash,
  type DeviceCode,
} from "./store.ts";

const lifetimeMs = 10 * 60 * 1000;
const pollIntervalSeconds = 5;

export interface DeviceRequest {
  readonly deviceCode: string;
  /** The code has the form `XXXX-XXXX`. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** Sign-in for machines without a browser (RFC 8628). */
export class Devices {
  constructor(
    private readonly parts: {
      readonly work: Work;
      readonly grants: Grants;
      readonly now: () => Date;
    },
  ) {}

  async begin(clientId: string, scope: string): Promise<DeviceRequest> {
    const deviceCode = randomToken();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const userCode = newSecret("userCode");
      const row: DeviceCode = {
        device_code_hash: tokenDigest(deviceCode),
        user_code: userCode,
        client_id: clientId,
        scope,
        state: "pending",
        oid: null,
        signed_in_at: null,
        interval_seconds: pollIntervalSeconds,
        polled_at: null,
        expires_at: new Date(this.parts.now().getTime() + lifetimeMs).toISOString(),
      };
      if (await this.parts.work.write((tx) => insertRow(tx, "device_codes", row))) {
        const expiresInSeconds = lifetimeMs / 1000;
        return { deviceCode, userCode, expiresInSeconds, intervalSeconds: pollIntervalSeconds };
      }
    }
    throw new TypeError("no free user code was found");
  }

  /** The waiting device with this code, typed in any case and grouping. */
  async find(typed: string): Promise<DeviceCode | undefined> {
    const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, "");
    if (letters.length !== 8) return undefined;
    const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
    const device = await deviceCodeByUserCode(this.parts.work.read, userCode);
    return device?.state === "pending" && !this.#isExpired(device) ? device : undefined;
  }

  /** False when the device is no longer waiting. */
  async decide(
    device: DeviceCode,
    decision: { readonly isApproved: boolean; readonly oid: string; readonly signedInAt: string },
  ): Promise<boolean> {
    const state = decision.isApproved ? "approved" : "denied";
    return this.parts.work.write((tx) =>
      moveDeviceCode(tx, device.device_code_hash, "pending", state, decision),
    );
  }

  /** One poll of the token endpoint: the tokens once, else a protocol error. */
  async redeem(deviceCode: string, clientId: string): Promise<GrantedTokens> {
    const outcome = await this.parts.work.write((tx) =>
      this.#poll(tx, tokenDigest(deviceCode), clientId),
    );
    if (typeof outcome !== "string") return outcome;
    throw new ProtocolError(outcome, pollMessages[outcome]);
  }

  /** Returns its refusal, since throwing it would undo the note of the poll. */
  async #poll(
    tx: Transaction,
    hash: string,
    clientId: string,
  ): Promise<GrantedTokens | keyof typeof pollMessages> {
    const device = await rowByHash(tx, "device_codes", hash);
    if (device?.client_id !== clientId) return "invalid_grant";
    if (device.state === "denied") return "access_denied";
    if (device.state === "used") return "invalid_grant";
    if (this.#isExpired(device)) return "expired_token";
    if (device.state === "pending") {
      const now = this.parts.now();
      const last = device.polled_at === null ? 0 : Date.parse(device.polled_at);
      const isEarly = now.getTime() - last < device.interval_seconds * 1000;
      const intervalSeconds = device.interval_seconds + (isEarly ? 5 : 0);
      await notePoll(tx, hash, now.toISOString(), intervalSeconds);
      return isEarly ? "slow_down" : "authorization_pending";
    }
    const { oid, scope, signed_in_at: signedInAt } = device;
    if (oid === null || signedInAt === null) return "invalid_grant";
    if (!(await moveDeviceCode(tx, hash, "approved", "used"))) return "invalid_grant";
    return this.parts.grants.grantIn(tx, { clientId, oid, scope, signedInAt });
  }

  #isExpired(device: DeviceCode): boolean {
    return device.expires_at <= this.parts.now().toISOString();
  }
}

const pollMessages = {
  invalid_grant: "the device code is not valid",
  access_denied: "the user refused the sign-in",
  expired_token: "the device code has expired",
  slow_down: "the device polls too often",
  authorization_pending: "the user has not decided yet",
} as const;
