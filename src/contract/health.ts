import * as z from "zod";
import { replies, route } from "./route.ts";

const componentHealth = z.looseObject({
  status: z.enum(["ok", "degraded", "down"]),
  detail: z.string().optional(),
});

export const health = z
  .looseObject({
    status: z.enum(["ok", "degraded", "down"]),
    version: z.string().optional(),
    components: z.record(z.string(), componentHealth).optional(),
  })
  .meta({ id: "Health" });
/** How the platform and its parts do: `ok`, `degraded` or `down`, as a whole and each. */
export type Health = z.output<typeof health>;

/** Health and the interface's own description (spec 4.3). */
export const healthRoutes = {
  resources: route({
    method: "GET",
    path: "/v4/data/resources/health",
    summary: "Health of the gateway and the resource service",
    source: "spec 4.3",
    access: "public",
    workspace: "none",
    reply: replies(health),
  }),
  openapi: route({
    method: "GET",
    path: "/v4/openapi.json",
    summary: "This interface as an OpenAPI 3.1 document",
    source: "OpenAPI 3.1",
    access: "public",
    workspace: "none",
    reply: replies(z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" })),
  }),
};
