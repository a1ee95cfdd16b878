import { catalogError, type CatalogError } from "#contract/errors.ts";
import { isStreamed, type Outgoing } from "./outgoing.ts";

/**
 * E201 for a request that got no answer. `outgoing` is given where it may have had an effect: the hint
 * then says how to look, instead of sending it again.
 */
export function unreachable(origin: string, reason: string, outgoing?: Outgoing): CatalogError {
  const hint = outgoing === undefined ? sentence(reason) : failureHint(reason, outgoing);
  return catalogError("E201", { url: origin }, { hint });
}

function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** Of a write that may be done, or not. */
export const unknownWords = "The outcome is unknown: look before you send it again";

const uploadRoute = "/v4/data/documents/upload";
const fileRoute = "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}";

function failureHint(reason: string, outgoing: Outgoing): string {
  const said = sentence(reason);
  if (isCutShort(outgoing)) {
    return `${said}. The request broke off before its end and was not accepted`;
  }
  const outcome = unknownOutcome(outgoing);
  return outcome === undefined ? said : `${said}. ${outcome}`;
}

function isCutShort({ asks, body }: Outgoing): boolean {
  return isStreamed(body) && !body.allSent && !asks;
}

/** As `unknownOutcome`, of a request that was given up: one that was not sent whole comes to nothing. */
export function abandonedOutcome(outgoing: Outgoing): string | undefined {
  return isCutShort(outgoing) ? undefined : unknownOutcome(outgoing);
}

/**
 * What to do about a request that was sent whole and whose answer says nothing that can be relied on;
 * undefined for one that only reads.
 */
export function unknownOutcome({
  asks,
  body,
  route,
}: Pick<Outgoing, "asks" | "body" | "route">): string | undefined {
  if (asks) return undefined;
  if (route === fileRoute && isStreamed(body)) {
    return (
      "All bytes had been sent: the outcome is unknown. Look at the record before you send them " +
      "again: `svc resources get <type> <id>`"
    );
  }
  if (route !== uploadRoute) return unknownWords;
  return (
    "All bytes had been sent: the outcome is unknown. Look before you send them again: " +
    "`svc publicapi get /v4/data/documents/records --param sort=-created_at`"
  );
}
