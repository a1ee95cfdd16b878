import type { DomainHandlers } from "../../http/handler.ts";
import type { Quotas } from "./service.ts";

export function quotaHandlers({ quotas }: { readonly quotas: Quotas }): DomainHandlers<"quotas"> {
  return { read: (_input, { work, workspace }) => quotas.read(work, workspace.id) };
}
