import type { RouteDefinition } from "#contract/route.ts";
import { markRoutes } from "#contract/access/marks.ts";

/** A valid body of a route that names its workspace in the body. */
export function bodyNaming(workspace: string, { path }: RouteDefinition): object {
  const rest = path === markRoutes.set.path ? { place: "documents" } : { workflow_key: "wish" };
  return { tenant_id: workspace, ...rest };
}
