import type { DomainHandlers } from "../../http/handler.ts";
import type { Locations } from "./service.ts";

export function geoHandlers({
  locations,
}: {
  readonly locations: Locations;
}): DomainHandlers<"geo"> {
  return {
    resolveLocation: async ({ body }, { work, workspace, signal }) => ({
      matches: await locations.resolve(work, workspace.id, body, signal),
    }),
  };
}
