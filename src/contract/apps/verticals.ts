import * as z from "zod";
import { listQuery } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, replies, repliesEmpty, repliesOrCreates, route } from "../route.ts";
import { collation } from "../resources/reads/collation.ts";
import { jsonObject, objectTypeSlug } from "../values.ts";
import { storedKey } from "./apps.ts";

const name = z.string().min(1).max(128);

/** A path below the product: literal segments and `{name}`, joined by slashes. */
const declaredPath = z
  .string()
  .max(512)
  .regex(
    /^(?:[A-Za-z0-9][\w.-]*|\{[A-Za-z]\w*\})(?:\/(?:[A-Za-z0-9][\w.-]*|\{[A-Za-z]\w*\}))*$/,
    "must be segments and {name} parameters, joined by slashes",
  );

/**
 * A route of a product, an item of `config.routes` in the record that binds a workflow to the app
 * (`vertical-product-config`). It names an Object Type or a workflow:
 * - `type` lists records (GET), or reads the one that the last `{name}` of the path identifies;
 *   POST creates a record, PATCH and PUT change one, DELETE deletes one.
 * - `type` with `action` executes an action of the type on the record of the path (POST).
 * - `workflow` sends a message to the workflow (POST).
 *
 * `{id}` in a path is the id of a record, any other `{name}` a field that must be equal. `where`
 * limits the records; where it names one value for a property, a created record has that value.
 * `fields` renames properties (`{ "holder": "licence_holder" }`) and leaves out all others. `body`
 * is the JSON Schema of the request's body.
 */
const verticalRoute = z
  .strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: declaredPath,
    summary: z.string().max(500).optional(),
    type: objectTypeSlug.optional(),
    action: name.optional(),
    workflow: storedKey.optional(),
    where: jsonObject.optional(),
    fields: z.record(name, name).optional(),
    body: jsonObject.optional(),
  })
  .refine(rule("either", "type", "workflow"), {
    message: "must name either a type or a workflow",
  })
  .refine(rule("workflow by POST"), {
    path: ["method"],
    message: "must be POST for a workflow",
  })
  .refine(rule("action of a record"), {
    path: ["action"],
    message: "needs POST and a path with the record's {id}",
  })
  .refine(rule("change of a record"), {
    path: ["path"],
    message: "must identify the record, as with {id}",
  });
/** A declared route of a product. */
export type VerticalRoute = z.output<typeof verticalRoute>;

const maximumVerticalRoutes = 200;
export const verticalRouteList = z.array(verticalRoute).max(maximumVerticalRoutes);

const product = z
  .looseObject({
    product: z.string(),
    displayName: z.string().optional(),
    routes: z
      .array(
        z.looseObject({
          method: z.string(),
          path: z.string(),
          summary: z.string().optional(),
          type: z.string().optional(),
          action: z.string().optional(),
          workflow: z.string().optional(),
          fields: z.record(z.string(), z.string()).optional(),
          body: jsonObject.optional(),
        }),
      )
      .optional(),
    /** Declarations that no request can reach, with the reason. */
    faults: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).optional(),
    openapi: jsonObject.optional().describe("The routes as OpenAPI 3.1, with `openapi=true`"),
  })
  .meta({ id: "VerticalProduct" });
/** An enrolled product with its routes. */
export type VerticalProduct = z.output<typeof product>;

/** A name in camel case for a route of a product, e.g. `getEntriesNumber`. */
export function verticalOperation(method: string, path: string): string {
  const words = path.match(/\w+/g) ?? [];
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [method.toLowerCase(), ...capitals].join("");
}

const productParams = z.object({ product: storedKey });
const routeParams = productParams.extend({
  path: z.string().min(1).max(2048).describe("A path that the product declares"),
});

/** The record, list or chat reply that the declared route answers. */
const answer = z.unknown();
const facts = members("tenant-viewer", "header", "spec 4.6, interface.md");
/** The parts that routes of a product share; `{path}` has all segments that follow. */
const declared = { ...facts, takesRest: true, params: routeParams } as const;
const change = { ...declared, body: json(jsonObject), guarded: true } as const;
const declaredPattern = "/v4/verticals/{product}/{path}";

export const verticalRoutes = {
  show: route.get("/v4/verticals/{product}", {
    summary: "The routes that an enrolled product declares",
    ...facts,
    params: productParams,
    query: z.object({
      openapi: listQuery.shape.count.describe("Adds the routes as an OpenAPI 3.1 document"),
    }),
    reply: replies(product),
  }),
  read: route.get(declaredPattern, {
    summary: "Read records by a route of the product",
    ...declared,
    query: listQuery
      .pick({ limit: true, cursor: true, sort: true, where: true })
      .extend({ collation }),
    reply: replies(answer),
  }),
  send: route.post(declaredPattern, {
    summary: "Create a record, execute an action or ask a workflow by a route of the product",
    ...change,
    reply: repliesOrCreates(answer),
    idempotent: true,
  }),
  replace: route.put(declaredPattern, {
    summary: "Replace the fields of a record by a route of the product",
    ...change,
    reply: replies(answer),
  }),
  change: route.patch(declaredPattern, {
    summary: "Change fields of a record by a route of the product (RFC 7396)",
    ...change,
    reply: replies(answer),
  }),
  remove: route.delete(declaredPattern, {
    summary: "Delete a record by a route of the product",
    ...declared,
    reply: repliesEmpty,
    guarded: true,
  }),
};
