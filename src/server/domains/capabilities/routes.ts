import type { DomainHandlers } from "../../http/handler.ts";
import type { CapabilityService } from "./service.ts";

export function capabilityHandlers({
  capabilities,
}: {
  readonly capabilities: CapabilityService;
}): DomainHandlers<"capabilities"> {
  return {
    catalog: () => capabilities.catalog(),
    evaluate: ({ body }, { principal }) => capabilities.evaluate(principal, body),
  };
}
