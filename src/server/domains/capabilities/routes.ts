import { canonicalUuid } from "#lib/uuid.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { CapabilityService } from "./service.ts";

export function capabilityHandlers({
  capabilities,
}: {
  readonly capabilities: CapabilityService;
}): DomainHandlers<"capabilities"> {
  return {
    catalog: () => capabilities.catalog(),
    evaluate({ body }, { principal, headers }) {
      const tenantId = workspaceOf(body.tenantId, headers.get("x-tenant-id"));
      return capabilities.evaluate(principal, { ...body, tenantId });
    },
  };
}

/** The workspace of a question; the body and the header must not name different ones. */
function workspaceOf(given: string | undefined, header: string | null): string | undefined {
  if (header === null || header === "") return given;
  const id = canonicalUuid(header);
  if (id !== undefined && (given === undefined || given === id)) return id;
  const detail = id === undefined ? "must be a UUID" : "must be the workspace of tenantId";
  throw invalid([faultAt("header", ["X-Tenant-Id"], detail)]);
}
