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
/** The health of the platform and of each part. */
export type Health = z.output<typeof health>;

/** Health and the description of this interface (spec 4.3). */
export const healthRoutes = {
  resources: route.get("/v4/data/resources/health", {
    summary: "Health of the gateway and the resource service",
    source: "spec 4.3",
    access: "public",
    workspace: "none",
    reply: replies(health),
  }),
  openapi: route.get("/v4/openapi.json", {
    summary: "This interface as an OpenAPI 3.1 document",
    source: "OpenAPI 3.1",
    access: "public",
    workspace: "none",
    reply: replies(z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" })),
  }),
};
