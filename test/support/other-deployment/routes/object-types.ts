import { Refused, type Json } from "../answers.ts";
import { addType, type StoredType, type StoredWorkspace } from "../state.ts";
import {
  headerWorkspace,
  isJson,
  objectBody,
  pageOf,
  param,
  pathWorkspace,
  textOf,
  timesOf,
  type Call,
  type OtherRoute,
} from "./call.ts";

function linksOf({ linkTypes }: Call["dialect"], definition: Json): Json {
  const links = Array.isArray(definition["linkTypes"]) ? definition["linkTypes"] : [];
  switch (linkTypes) {
    case "missing":
      return {};
    case "null":
      return { linkTypes: null };
    case "named":
      return { linkTypes: links };
    case "unnamed":
      return {
        linkTypes: links.map((link: unknown) => ({
          targetObjectType: isJson(link) ? link["targetObjectType"] : undefined,
        })),
      };
  }
}

function propertiesOf({ properties }: Call["dialect"], definition: Json): Json {
  const known = isJson(definition["properties"]) ? definition["properties"] : {};
  switch (properties) {
    case "missing":
      return {};
    case "null":
      return { properties: null };
    case "map":
      return { properties: known };
    case "list":
      return {
        properties: Object.entries(known).map(([name, value]) => ({
          name,
          ...(isJson(value) ? value : {}),
        })),
      };
  }
}

function typeBody(call: Call, workspace: StoredWorkspace, type: StoredType): Json {
  const { id, name, slug, definition } = type;
  const owner = call.dialect.optional === "sent" ? { tenant_id: workspace.id } : {};
  return {
    id,
    name,
    slug,
    ...owner,
    ...propertiesOf(call.dialect, definition),
    ...linksOf(call.dialect, definition),
    ...timesOf(call.dialect, Date.UTC(2026, 1, 1)),
  };
}

/** Links name the exact stored slug of a type (spec 2.2). */
function requireTargets({ types }: StoredWorkspace, slug: string, definition: Json): void {
  const links = definition["linkTypes"] ?? [];
  if (!Array.isArray(links)) throw new Refused(400, "linkTypes is no list");
  for (const link of links) {
    const target: unknown = isJson(link) ? link["targetObjectType"] : undefined;
    if (typeof target !== "string" || (target !== slug && !types.has(target))) {
      throw new Refused(400, `no Object Type ${String(target)}`);
    }
  }
}

/** Numbers in the order of numbers, other ids in the order of texts. */
function inIdOrder({ types }: StoredWorkspace): StoredType[] {
  const isBefore = (one: string, other: string): boolean =>
    /^\d+$/.test(one) ? Number(one) < Number(other) : one < other;
  return [...types.values()].toSorted((one, other) => (isBefore(one.id, other.id) ? -1 : 1));
}

/** Object Types and their schema (spec 4.3). */
export const objectTypeRoutes: readonly OtherRoute[] = [
  {
    method: "GET",
    path: "/v4/data/resources/object-types",
    answer: (call) => {
      const workspace = headerWorkspace(call);
      const items = inIdOrder(workspace).map((type) => typeBody(call, workspace, type));
      return { kind: "list", items, page: pageOf(call) };
    },
  },
  {
    method: "POST",
    path: "/v4/data/resources/object-types",
    answer: (call) => {
      const workspace = headerWorkspace(call);
      const body = objectBody(call);
      const [name, slug] = [textOf(body, "name"), textOf(body, "slug")];
      if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) throw new Refused(400, "name is not PascalCase");
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw new Refused(400, "slug is not kebab-case");
      if (workspace.types.has(slug)) throw new Refused(409, `${slug} exists already`);
      requireTargets(workspace, slug, body);
      const type = addType(call.state, workspace, { ...body, name, slug });
      return { kind: "created", value: typeBody(call, workspace, type), id: type.id };
    },
  },
  {
    method: "PATCH",
    path: "/v4/data/resources/object-types/{objectTypeId}",
    answer: (call) => {
      const workspace = headerWorkspace(call);
      const id = param(call, "objectTypeId");
      const type = [...workspace.types.values()].find((one) => one.id === id);
      if (type === undefined) throw new Refused(404, `no Object Type ${id}`);
      const body = objectBody(call);
      requireTargets(workspace, type.slug, body);
      type.definition = { ...type.definition, ...body };
      return { kind: "done", value: typeBody(call, workspace, type) };
    },
  },
  {
    method: "GET",
    path: "/v4/data/resources/schema/{tenantId}",
    answer: (call) => {
      const workspace = pathWorkspace(call);
      const types = inIdOrder(workspace).map((type) => typeBody(call, workspace, type));
      if (call.dialect.lists === "bare") return { kind: "value", value: types };
      const name = { camel: "objectTypes", snake: "object_types", short: "types" };
      return { kind: "value", value: { [name[call.dialect.names]]: types } };
    },
  },
  {
    method: "GET",
    path: "/v4/data/resources/health",
    open: true,
    answer: ({ dialect }) => {
      if (dialect.health === "text") return { kind: "text", text: "Healthy" };
      if (dialect.health === "empty") return { kind: "empty" };
      return { kind: "value", value: { status: "UP" } };
    },
  },
];
