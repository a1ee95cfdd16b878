import { Refusal } from "#contract/problems.ts";
import type { Exchange } from "./exchange.ts";
import { faultAt } from "./faults.ts";

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** The request's `Idempotency-Key`; undefined where it has none. */
export function idempotencyKey(exchange: Exchange): string | undefined {
  const field = exchange.headers.get("idempotency-key");
  if (field === null) return undefined;
  // The draft writes it as a quoted string, many clients bare.
  const key = /^"(.*)"$/.exec(field)?.[1] ?? field;
  if (keyPattern.test(key)) return key;
  throw new Refusal("malformed-request", {
    detail: "Cannot use this Idempotency-Key: wanted 1 to 255 visible ASCII characters",
    errors: [faultAt("header", ["Idempotency-Key"], "is not usable")],
  });
}
