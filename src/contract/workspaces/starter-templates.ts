import * as z from "zod";
import { objectTypeCreation } from "../object-types/object-types.ts";
import { replies, route, outside } from "../route.ts";

const summary = {
  key: z.string(),
  displayName: z.string().optional(),
  description: z.string().optional(),
};

/** A template with the slugs of its Object Types. */
const templateSummary = z
  .looseObject({ ...summary, objectTypes: z.array(z.string()) })
  .meta({ id: "StarterTemplateSummary" });

const starterTemplate = z
  .looseObject({ ...summary, objectTypes: z.array(objectTypeCreation) })
  .meta({ id: "StarterTemplate" });
/**
 * The Object Types that a new workspace begins with (spec 2.1). They are definitions as
 * `svc types seed` takes them.
 */
export type StarterTemplate = z.output<typeof starterTemplate>;

export const starterTemplateRoutes = {
  list: route.get("/v4/platform/starter-templates", {
    summary: "List starter templates",
    ...outside("signed-in", "spec 2.1"),
    reply: replies(z.looseObject({ items: z.array(templateSummary) })),
  }),
  read: route.get("/v4/platform/starter-templates/{key}", {
    summary: "A starter template with its definitions",
    ...outside("signed-in", "spec 2.1"),
    params: z.object({ key: z.string().max(100) }),
    reply: replies(starterTemplate),
  }),
};
