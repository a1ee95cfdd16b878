import { catalogError, type CatalogError } from "#contract/errors.ts";
import { lookOf } from "./look.ts";
import { isStreamed, type Outgoing } from "./outgoing.ts";

/** E201 for a request without a response; with `outgoing`, the hint says how to check it. */
export function unreachable(origin: string, reason: string, outgoing?: Outgoing): CatalogError {
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  const outcome = outgoing === undefined ? undefined : outcomeWords(outgoing);
  const hint = outcome === undefined ? sentence : `${sentence}. ${outcome}`;
  return catalogError("E201", { url: origin }, { hint });
}

/** The hint for a write that may have been carried out. */
export const unknownWords = "The outcome is unknown: look before you send it again";

export const lookAtDocuments = "Look before you send it again: " + "`svc docs list`";

const uploadRoute = "/v4/data/documents/upload";
const fileRoute = "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}";

/** The facts of a request that its unknown outcome depends on. */
export type SentRequest = Pick<Outgoing, "method" | "url" | "asks" | "body" | "route">;

function outcomeWords(outgoing: Outgoing): string | undefined {
  return isCutShort(outgoing)
    ? "The request broke off before its end and was not accepted"
    : unknownOutcome(outgoing);
}

function isCutShort({ asks, body }: Outgoing): boolean {
  return isStreamed(body) && !body.allSent && !asks;
}

/** The next step after an aborted request; one that was not sent whole has no effect. */
export function abandonedOutcome(outgoing: Outgoing): string | undefined {
  return isCutShort(outgoing) ? undefined : unknownOutcome(outgoing);
}

/** The next step after a sent request without a usable response; undefined if it only reads. */
export function unknownOutcome(sent: SentRequest): string | undefined {
  const { asks, body, route } = sent;
  if (asks) return undefined;
  if (route === fileRoute && isStreamed(body)) {
    return (
      "All bytes had been sent: the outcome is unknown. Look at the record before you send them " +
      "again: `svc resources get <type> <id>`"
    );
  }
  if (route === uploadRoute) {
    return `All bytes had been sent: the outcome is unknown. ${lookAtDocuments}`;
  }
  const look = lookOf(sent);
  return look === undefined ? unknownWords : `${unknownWords}: \`${look}\``;
}
