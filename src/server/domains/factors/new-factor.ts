import type { FactorRow } from "./store.ts";

const pendingMs = 15 * 60 * 1000;

/** A factor that waits for its confirmation, without a secret or a key. */
export function newFactor(
  now: Date,
  given: {
    readonly oid: string;
    readonly kind: "totp" | "passkey";
    readonly name: string;
  },
): FactorRow {
  return {
    id: Bun.randomUUIDv7(),
    ...given,
    state: "pending",
    sealed_secret: null,
    last_step: 0,
    host: null,
    credential_id: null,
    public_key: null,
    counter: 0,
    transports: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + pendingMs).toISOString(),
    last_used_at: null,
  };
}
