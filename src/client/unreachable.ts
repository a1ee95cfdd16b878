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

const uploadRoute = "/v4/data/documents/upload";
const fileRoute = "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}";

function failureHint(reason: string, { method, body, route }: Outgoing): string {
  const said = sentence(reason);
  if (method === "GET" || method === "HEAD") return said;
  if (isStreamed(body) && !body.allSent) {
    return `${said}. The request broke off before its end and was not accepted`;
  }
  if (route === fileRoute && isStreamed(body)) {
    return (
      `${said}. All bytes had been sent: the outcome is unknown. Look at the record before you ` +
      "send them again: `svc resources get <type> <id>`"
    );
  }
  if (route !== uploadRoute)
    return `${said}. The outcome is unknown: look before you send it again`;
  return (
    `${said}. All bytes had been sent: the outcome is unknown. Look before you send them again: ` +
    "`svc publicapi get /v4/data/documents/records --param sort=-created_at`"
  );
}
