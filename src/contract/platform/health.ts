import * as z from "zod";
import { otherwise } from "../deployments.ts";
import { replies, route, outside } from "../route.ts";

const componentHealth = z.looseObject({
  status: otherwise(z.enum(["ok", "degraded", "down"]), "condition"),
  detail: z.string().optional(),
});

export const health = z
  .looseObject({
    status: otherwise(z.enum(["ok", "degraded", "down"]), "condition"),
    version: z.string().optional(),
    components: z.record(z.string(), componentHealth).optional(),
    /** Risks for stored data and delays of the feed, as sentences for the operator. */
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: "Health" });
/** The health of the platform and of each part. */
export type Health = z.output<typeof health>;

/** Health and the description of this interface (spec 4.3). */
export const healthRoutes = {
  resources: route.get("/v4/data/resources/health", {
    summary: "Health of the gateway and the resource service",
    ...outside("public", "spec 4.3"),
    reply: replies(health),
  }),
  openapi: route.get("/v4/openapi.json", {
    summary: "This interface as an OpenAPI 3.1 document",
    ...outside("public", "OpenAPI 3.1"),
    reply: replies(z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" })),
  }),
};
