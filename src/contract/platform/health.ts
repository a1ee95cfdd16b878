import * as z from "zod";
import { otherwise } from "../deployments.ts";
import { replies, route, outside } from "../route.ts";

const componentHealth = z.looseObject({
  status: otherwise(z.enum(["ok", "degraded", "down"]), statusOf),
  detail: z.string().optional(),
});

const downWords = /^(?:down|fail(?:ed|ing)?|unhealthy|unavailable|error|red|outage)$/i;
const degradedWords = /^(?:degraded|warn(?:ing)?|partial|yellow|amber)$/i;

/** The state in another deployment's terms; a successful answer without any means `ok`. */
function statusOf(answer: Readonly<Record<string, unknown>>): string {
  const words = [answer["status"], answer["state"], answer["text"]].filter(
    (value) => typeof value === "string",
  );
  if (words.some((word) => downWords.test(word.trim()))) return "down";
  return words.some((word) => degradedWords.test(word.trim())) ? "degraded" : "ok";
}

export const health = z
  .looseObject({
    status: otherwise(z.enum(["ok", "degraded", "down"]), statusOf),
    version: z.string().optional(),
    components: z.record(z.string(), componentHealth).optional(),
    /** Settings with which stored data may be lost, as sentences for the operator. */
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
