import type { VerticalRoute } from "#contract/apps/verticals.ts";
import { defaultStage } from "#contract/documents/chat.ts";
import { Refusal } from "#contract/problems.ts";
import type { ListQuery } from "#contract/lists.ts";
import type { Collation } from "#contract/resources/reads/collation.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid, validated } from "../../kit/faults.ts";
import { requireMatch } from "../../work/caller.ts";
import type { Work } from "../../work/work.ts";
import type { CompiledType, ObjectTypeService } from "../object-types/service.ts";
import type { ResourceService } from "../records/service.ts";
import {
  matchDeclared,
  methodsOf,
  type DeclaredMatch,
  type DeclaredRoute,
} from "./declared-routes.ts";
import { Products, type Product } from "./products.ts";
import {
  chatPath,
  recordPath,
  recordsIn,
  sendInner,
  type Answering,
  type DeclaredCaller,
  type InnerAnswer,
  type InnerRequest,
} from "./record-routes.ts";
import { RenamedFields } from "./renamed-fields.ts";

/** A read that meets another write tries again; a caller with `If-Match` is refused at once. */
const maximumTries = 3;

export interface DeclaredCall {
  readonly method: VerticalRoute["method"];
  readonly path: string;
  readonly query: Pick<ListQuery, "limit" | "cursor" | "sort" | "where"> & {
    readonly collation?: Collation | undefined;
  };
  readonly body: JsonObject;
}

/** A matched route of a type, with what its requests need. */
interface TypeRoute {
  readonly route: VerticalRoute;
  readonly type: CompiledType;
  readonly fields: RenamedFields;
  /** The fixed filter, and the equalities of the path. */
  readonly where: JsonObject;
  /** The properties that `where` and the path fix to one value. */
  readonly fixed: JsonObject;
  readonly isItem: boolean;
}

/**
 * The routes that products declare over the types, actions and workflows of a workspace. Each call
 * becomes requests of the caller to the platform's own routes.
 */
export class Verticals {
  readonly products: Products;

  constructor(
    private readonly parts: {
      readonly records: Pick<ResourceService, "findRecords">;
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly fetch: Answering;
    },
  ) {
    this.products = new Products(parts.records);
  }

  async call(
    work: Work,
    caller: DeclaredCaller,
    key: string,
    call: DeclaredCall,
  ): Promise<InnerAnswer> {
    const product = await this.products.require(work, caller.workspaceId, key);
    const match = requireRoute(product, call);
    const { route } = match.declared;
    requireBody(match.declared, call.body);
    if (route.workflow !== undefined) {
      return this.#send(caller, {
        method: "POST",
        path: chatPath(caller.workspaceId, route.workflow, defaultStage),
        body: call.body,
      });
    }
    const typeRoute = await this.#typeRoute(caller, match);
    try {
      return await this.#callType(caller, typeRoute, call);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const place = call.method === "GET" ? "query" : "body";
      throw typeRoute.fields.toRefusal(error, place);
    }
  }

  async #callType(
    caller: DeclaredCaller,
    route: TypeRoute,
    call: DeclaredCall,
  ): Promise<InnerAnswer> {
    if (call.method === "GET") {
      if (route.isItem)
        return { status: 200, body: route.fields.toAnswer(await this.#found(caller, route)) };
      return this.#list(caller, route, call);
    }
    if (call.method === "POST" && route.route.action === undefined) {
      return this.#create(caller, route, call.body);
    }
    return this.#change(caller, route, call);
  }

  async #typeRoute(
    { workspaceId }: DeclaredCaller,
    { declared: { route, segments }, parameters }: DeclaredMatch,
  ): Promise<TypeRoute> {
    const slug = route.type ?? "";
    const type = await this.parts.objectTypes.find(workspaceId, slug);
    if (type === undefined) {
      throw new Refusal("conflict", {
        detail: `Cannot answer this route: this workspace has no Object Type ${slug}`,
      });
    }
    const fields = new RenamedFields(route.fields);
    const named = Object.entries(parameters).map(([name, text]) => {
      const property = name === "id" ? "id" : (fields.property(name) ?? name);
      const value = valueOf(type, property, text);
      if (value === undefined) throw noRecord();
      return [property, value] as const;
    });
    const ofPath = Object.fromEntries(named);
    const clauses = [route.where ?? {}, ofPath].filter((each) => Object.keys(each).length > 0);
    const isItem =
      route.action !== undefined || segments.at(-1)?.startsWith("{") === true || !isPlural(route);
    return {
      route,
      type,
      fields,
      where: clauses.length === 0 ? {} : { $and: clauses },
      fixed: { ...equalitiesOf(route.where), ...ofPath },
      isItem,
    };
  }

  async #list(
    caller: DeclaredCaller,
    { type, where, fields }: TypeRoute,
    { query }: DeclaredCall,
  ): Promise<InnerAnswer> {
    const asked = query.where === undefined ? undefined : fields.toWhere(filterIn(query.where));
    const { limit, cursor, collation } = query;
    const sort = query.sort === undefined ? undefined : fields.toSort(query.sort);
    const { status, body } = await this.#send(caller, {
      method: "POST",
      path: recordPath(caller.workspaceId, "query"),
      body: {
        types: [type.slug],
        where: asked === undefined ? where : { $and: [asked, where] },
        ...given({ limit, cursor, sort, collation }),
      },
    });
    const items = recordsIn(body).map((record) => fields.toAnswer(record));
    return { status, body: isJsonObject(body) ? { ...body, items } : { items } };
  }

  /** Reads the one record of the path; refuses 404 where there is none, or more than one. */
  async #found(caller: DeclaredCaller, { type, where }: TypeRoute): Promise<JsonObject> {
    const { body } = await this.#send(caller, {
      method: "POST",
      path: recordPath(caller.workspaceId, "query"),
      body: { types: [type.slug], where, limit: 2 },
    });
    const [record, ...others] = recordsIn(body);
    if (record !== undefined && others.length === 0) return record;
    if (record === undefined) throw noRecord();
    throw new Refusal("not-found", {
      detail: "This path names several records: a field in it must be unique",
    });
  }

  async #create(
    caller: DeclaredCaller,
    { type, fields, fixed }: TypeRoute,
    body: JsonObject,
  ): Promise<InnerAnswer> {
    const data = { ...fields.toData(body), ...fixed };
    const hasData = Object.hasOwn(type.properties, "data");
    const { status, body: made } = await this.#send(caller, {
      method: "POST",
      path: recordPath(caller.workspaceId, type.slug),
      body: hasData ? data : { data },
      headers: innerKey(caller.headers),
    });
    return { status, body: isJsonObject(made) ? fields.toAnswer(made) : made };
  }

  /** Changes the record in the version that the filter has seen. */
  async #change(
    caller: DeclaredCaller,
    route: TypeRoute,
    call: DeclaredCall,
  ): Promise<InnerAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const record = await this.#found(caller, route);
      const version = Number(record["version"]);
      requireMatch(caller.ifMatch, version);
      try {
        const { status, body } = await this.#send(
          caller,
          changeOf(caller, route, call, { id: String(record["id"]), version }),
        );
        return { status, body: isJsonObject(body) ? route.fields.toAnswer(body) : body };
      } catch (error) {
        const isOvertaken =
          error instanceof Refusal && /^(?:version-conflict|precondition-failed)$/.test(error.code);
        if (!isOvertaken || caller.ifMatch !== undefined || attempt === maximumTries) throw error;
      }
    }
  }

  #send(caller: DeclaredCaller, request: InnerRequest): Promise<InnerAnswer> {
    return sendInner(this.parts.fetch, caller, request);
  }
}

function changeOf(
  caller: DeclaredCaller,
  { route, type, fields, fixed }: TypeRoute,
  { method, body }: DeclaredCall,
  { id, version }: { readonly id: string; readonly version: number },
): InnerRequest {
  const path = recordPath(caller.workspaceId, type.slug, id);
  if (route.action !== undefined) {
    return {
      method: "POST",
      path: recordPath(caller.workspaceId, type.slug, id, "actions", route.action),
      body: { parameters: body, version },
      headers: innerKey(caller.headers),
    };
  }
  if (method === "DELETE") return { method, path, headers: { "if-match": `"${version}"` } };
  const { id: _id, ...kept } = fixed;
  const data = { ...fields.toData(body), ...kept };
  const { properties } = fields;
  if (method === "PATCH" || properties === undefined) {
    return { method: method === "PATCH" ? method : "PUT", path, body: { data, version } };
  }
  // A replacement leaves the properties as they are that the route does not have.
  const removed = properties.filter((property) => !Object.hasOwn(data, property));
  const nulls = Object.fromEntries(removed.map((property) => [property, null]));
  return { method: "PATCH", path, body: { data: { ...nulls, ...data }, version } };
}

/** Values of a body times schemas: comparisons of a request, which take about a microsecond. */
const comparisonsAtMost = 100_000;

function requireBody({ bodySchema, bodySchemas }: DeclaredRoute, body: JsonObject): void {
  if (bodySchema === undefined) return;
  const valuesAtMost = Math.max(100, Math.floor(comparisonsAtMost / Math.max(1, bodySchemas)));
  if (countValues(body, valuesAtMost) > valuesAtMost) {
    throw new Refusal("content-too-large", {
      detail: `Cannot check this body: expected at most ${valuesAtMost} values for this route`,
    });
  }
  validated(bodySchema, body, "body");
}

/** The values within a JSON value; a count beyond the limit is not exact. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const each of Object.values(value)) {
    count += countValues(each, limit - count);
    if (count > limit) break;
  }
  return count;
}

function noRecord(): Refusal {
  return new Refusal("not-found", { detail: "This route has no record for this path" });
}

function requireRoute(product: Product, { method, path }: DeclaredCall): DeclaredMatch {
  const match = matchDeclared(product.routes, method, path);
  if (match !== undefined) return match;
  const allowed = methodsOf(product.routes, path);
  if (allowed.length === 0) {
    throw new Refusal("route-not-found", {
      detail:
        `The product ${product.key} has no route ${path}: ` +
        `GET /v4/verticals/${product.key} lists its routes`,
    });
  }
  throw new Refusal("method-not-allowed", {
    detail: `This path of the product accepts ${allowed.join(", ")}`,
    headers: { allow: allowed.join(", ") },
  });
}

/** True if a route names many records: a list, or the place of a creation. */
function isPlural({ method, path }: VerticalRoute): boolean {
  return (method === "GET" || method === "POST") && !path.endsWith("}");
}

/** The equalities of a filter, which a created record fulfils. */
function equalitiesOf(where: JsonObject | undefined): JsonObject {
  const equalities = Object.entries(where ?? {}).flatMap(([name, value]): [string, unknown][] => {
    if (name === "$and" && Array.isArray(value)) {
      return value.filter(isJsonObject).flatMap((each) => Object.entries(equalitiesOf(each)));
    }
    if (name.startsWith("$") || name.includes(".")) return [];
    if (!isJsonObject(value)) return [[name, value]];
    return Object.hasOwn(value, "$eq") ? [[name, value["$eq"]]] : [];
  });
  return Object.fromEntries(equalities);
}

/** The value of a text in the path, as its property stores it; undefined for another text. */
function valueOf({ properties }: CompiledType, property: string, text: string): unknown {
  const kind = ownMember(properties, property)?.type;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (kind !== "number" && kind !== "integer") return text;
  const number = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function filterIn(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isJsonObject(value)) return value;
  throw invalid([faultAt("query", ["where"], "must be a JSON object")]);
}

/** The key of the inner request: the one of the outer request names its own answer. */
function innerKey(headers: Headers): Record<string, string> {
  const key = headers.get("idempotency-key");
  if (key === null) return {};
  const digest = new Bun.CryptoHasher("sha256").update(`vertical ${key}`).digest("base64url");
  return { "idempotency-key": digest };
}
