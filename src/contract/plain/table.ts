import type * as z from "zod";
import { given } from "#lib/given.ts";
import { sentForm, folded, isNamed, otherNamesOf } from "../deployments.ts";
import { routes, type Domain } from "../index.ts";
import type { Reply, RequestBody, RouteDefinition } from "../route.ts";
import type { DomainRoutes, PlainBody, PlainReply, PlainRoute } from "./plain-route.ts";
import { pageDomains } from "./page-domains.ts";
import type { Shape, ListShape, NumberShape, ObjectShape, TextEdit, TextShape } from "./shape.ts";
import { plainFormOf } from "./plain-form.ts";

type Schema = z.core.$ZodType;
type Definitions = z.core.$ZodTypes["_zod"]["def"];
type Definition<Type extends string> = Extract<Definitions, { readonly type: Type }>;

const schemaOnly: Shape = { is: "schema only" };

/** The shapes of schemas, each once. */
class Shapes {
  readonly list: Shape[] = [];
  readonly #byText = new Map<string, number>();
  readonly #bySchema = new Map<Schema, number>();

  /** The place of a schema's shape in the list. */
  placeOf(schema: Schema): number {
    const known = this.#bySchema.get(schema);
    if (known !== undefined) return known;
    // A schema that contains itself has no shape of finite size.
    this.#bySchema.set(schema, this.#add(schemaOnly));
    const place = this.#add(this.#shapeOf(plainFormOf(schema) ?? schema));
    this.#bySchema.set(schema, place);
    return place;
  }

  #add(shape: Shape): number {
    const text = JSON.stringify(shape);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const place = this.list.push(shape) - 1;
    this.#byText.set(text, place);
    return place;
  }

  #shapeOf(schema: Schema): Shape {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "string":
        return textShape(def, isNamed(schema)) ?? schemaOnly;
      case "number":
        return numberShape(def) ?? schemaOnly;
      case "boolean":
        return { is: "boolean" };
      case "unknown":
        return { is: "any" };
      case "null":
        return { is: "one of", values: [null] };
      case "literal":
        return { is: "one of", values: def.values };
      case "enum":
        return { is: "one of", values: Object.values(def.entries) };
      case "array":
        return this.#listShape(def) ?? schemaOnly;
      case "record":
        if (def.checks !== undefined && def.checks.length > 0) return schemaOnly;
        return {
          is: "map",
          names: this.placeOf(def.keyType),
          values: this.placeOf(def.valueType),
        };
      case "object":
        return this.#objectShape(def) ?? schemaOnly;
      case "optional":
      case "nullable":
        return { is: def.type, inner: this.placeOf(def.innerType) };
      case "default":
        return { is: "default", inner: this.placeOf(def.innerType), value: def.defaultValue };
      case "union":
        return { is: "either", options: this.#options(def.options) };
      default:
        return schemaOnly;
    }
  }

  #listShape({ element, checks }: Definition<"array">): ListShape | undefined {
    const bounds = boundsOf(checks);
    return bounds && { is: "list", items: this.placeOf(element), ...bounds };
  }

  #objectShape({ shape, catchall, checks = [] }: Definition<"object">): ObjectShape | undefined {
    const kind = catchall === undefined ? undefined : (catchall as z.core.$ZodTypes)._zod.def.type;
    if (checks.length > 0 || !(kind === undefined || kind === "never" || kind === "unknown")) {
      return undefined;
    }
    const members = Object.entries(shape).map(([name, part]) => [name, this.placeOf(part)]);
    const needed = ambiguousNames(shape);
    return {
      is: "object",
      members: Object.fromEntries(members),
      others: kind === undefined ? "dropped" : kind === "never" ? "refused" : "kept",
      ...given({ needed: needed.length > 0 ? needed : undefined }),
    };
  }

  /**
   * The options up to the first one that may change a value: a union returns what its first
   * fitting option returns.
   */
  #options(options: readonly Schema[]): readonly number[] {
    const places = options.map((option) => this.placeOf(option));
    const last = places.findIndex((place) => !this.#isPure(place));
    return last === -1 ? places : places.slice(0, last + 1);
  }

  /** True if the schema of a shape never changes a value that it accepts. */
  #isPure(place: number): boolean {
    const shape = this.list[place] ?? schemaOnly;
    switch (shape.is) {
      case "schema only":
      case "default":
        return false;
      case "text":
        return shape.edits === undefined;
      case "list":
        return this.#isPure(shape.items);
      case "map":
        return this.#isPure(shape.names) && this.#isPure(shape.values);
      case "optional":
      case "nullable":
        return this.#isPure(shape.inner);
      case "either":
        return shape.options.every((option) => this.#isPure(option));
      case "object":
        return (
          shape.others !== "dropped" &&
          Object.values(shape.members).every((member) => this.#isPure(member))
        );
      default:
        return true;
    }
  }
}

type Checks = readonly z.core.$ZodCheck<never>[] | undefined;

/** The bounds of a length; undefined if there are other checks. */
function boundsOf(checks: Checks): { least?: number; most?: number } | undefined {
  const bounds: { least?: number; most?: number } = {};
  for (const check of checks ?? []) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check === "min_length") bounds.least = def.minimum;
    else if (def.check === "max_length") bounds.most = def.maximum;
    else return undefined;
  }
  return bounds;
}

function textShape(def: Definition<"string">, named: boolean): TextShape | undefined {
  if ("format" in def) return undefined;
  const lengths: z.core.$ZodCheck<never>[] = [];
  const patterns: [source: string, flags: string][] = [];
  const edits: TextEdit[] = [];
  for (const check of def.checks ?? []) {
    const checkDef = (check as z.core.$ZodChecks)._zod.def;
    if (checkDef.check === "string_format" && checkDef.format === "regex") {
      const { source = "", flags = "" } = checkDef.pattern ?? {};
      patterns.push([source, flags]);
    } else if (checkDef.check === "overwrite") {
      const edit = editOf(checkDef.tx);
      if (edit === undefined) return undefined;
      edits.push(edit);
    } else {
      lengths.push(check);
    }
  }
  const bounds = boundsOf(lengths);
  return (
    bounds && {
      is: "text",
      ...bounds,
      ...given({
        patterns: patterns.length > 0 ? patterns : undefined,
        edits: edits.length > 0 ? edits : undefined,
        isNamed: named || undefined,
      }),
    }
  );
}

function editOf(edit: (value: unknown) => unknown): TextEdit | undefined {
  const edited = edit(" Aa ");
  if (edited === "Aa") return "trimmed";
  return edited === " aa " ? "lower case" : undefined;
}

function numberShape(def: Definition<"number">): NumberShape | undefined {
  const shape: { isWhole?: true; least?: number; most?: number } = {};
  const formats = "format" in def ? [def.format] : [];
  for (const check of def.checks ?? []) {
    const checkDef = (check as z.core.$ZodChecks)._zod.def;
    if (checkDef.check === "number_format") formats.push(checkDef.format);
    else if (checkDef.check === "greater_than" && checkDef.inclusive) {
      shape.least = Number(checkDef.value);
    } else if (checkDef.check === "less_than" && checkDef.inclusive) {
      shape.most = Number(checkDef.value);
    } else return undefined;
  }
  if (formats.some((format) => format !== "safeint")) return undefined;
  return { is: "number", ...shape, ...given({ isWhole: formats.length > 0 || undefined }) };
}

/** Members that a deployment may send under the name of another member. */
function ambiguousNames(shape: Readonly<Record<string, object>>): readonly string[] {
  const members = Object.entries(shape);
  const isNameOfOther = (name: string, text: string): boolean =>
    members.some(([other]) => other !== name && folded(other) === folded(text));
  return members
    .filter(([name, part]) =>
      [name, ...otherNamesOf(part)].some((text) => isNameOfOther(name, text)),
    )
    .map(([name]) => name);
}

/**
 * Returns the JSON text of each domain's routes, and that of the shapes of {@link pageDomains}.
 * `route-table.ts` imports it as a macro: a build has these texts in place of the schemas, which
 * load longer than a command's request takes.
 */
export function contractTable(): Record<string, string> {
  const { texts, shapes, further } = placedRoutes();
  const names = Object.keys(routes);
  const inOrder = names.map((domain) => [domain, texts.get(domain) ?? ""] as const);
  const ofPages = JSON.stringify(shapes.slice(0, further));
  return Object.fromEntries([...inOrder, ["shapes", ofPages]]);
}

/** Returns the JSON text of the shapes of all other domains; their places follow those of pages. */
export function furtherShapesText(): string {
  const { shapes, further } = placedRoutes();
  return JSON.stringify(shapes.slice(further));
}

interface PlacedRoutes {
  readonly texts: ReadonlyMap<string, string>;
  readonly shapes: readonly Shape[];
  /** The place of the first shape that no page domain has. */
  readonly further: number;
}

function placedRoutes(): PlacedRoutes {
  const shapes = new Shapes();
  const texts = new Map<string, string>();
  const place = (domain: Domain): void => {
    const plain = Object.entries<RouteDefinition>(routes[domain]).map(
      ([name, definition]) => [name, plainRoute(definition, shapes)] as const,
    );
    const table: DomainRoutes = Object.fromEntries(plain);
    texts.set(domain, JSON.stringify(table));
  };
  pageDomains.forEach(place);
  const further = shapes.list.length;
  for (const domain of Object.keys(routes) as Domain[]) if (!texts.has(domain)) place(domain);
  return { texts, shapes: shapes.list, further };
}

function plainRoute(definition: RouteDefinition, shapes: Shapes): PlainRoute {
  const { params, query, body, reply, events, alternative, ...rest } = definition;
  const { summary: _summary, source: _source, ...facts } = rest;
  const sent = (schema: z.ZodType): number => shapes.placeOf(sentForm(schema));
  const answered = (schema: z.ZodType): number => shapes.placeOf(schema);
  return {
    ...facts,
    reply: plainReply(reply, answered),
    ...given({
      params: params && sent(params),
      query: query && sent(query),
      body: body && plainBody(body, sent),
      events: events && answered(events),
      alternative: alternative && answered(alternative),
    }),
  };
}

type PlaceOf = (schema: z.ZodType) => number;

function plainBody(body: RequestBody, placeOf: PlaceOf): PlainBody {
  if (body.type === "bytes") return body;
  if (body.type === "multipart") return { ...body, fields: placeOf(body.fields) };
  return { ...body, schema: placeOf(body.schema) };
}

function plainReply(reply: Reply, placeOf: PlaceOf): PlainReply {
  return "schema" in reply ? { ...reply, schema: placeOf(reply.schema) } : reply;
}
