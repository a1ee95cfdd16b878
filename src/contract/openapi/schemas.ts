import * as z from "zod";

/** The parts of JSON Schema that this file looks at. */
export interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
}

type Direction = "input" | "output";
type Definitions = Record<string, JsonSchema>;

const definitionPrefix = "#/$defs/";
const componentPrefix = "#/components/schemas/";

/** Collects named schemas. A request's schema that differs is named `<Name>Input`. */
export class JsonSchemas {
  readonly #definitions: Record<Direction, Definitions> = { input: {}, output: {} };

  /** A schema of requests, with references that {@link resolve} replaces. */
  input(schema: z.ZodType): JsonSchema {
    return marked(this.#collect(schema, "input"), "input");
  }

  /** A schema of responses, with references that {@link resolve} replaces. */
  output(schema: z.ZodType): JsonSchema {
    return marked(this.#collect(schema, "output"), "output");
  }

  /** The schema of a parameter or form; unlike {@link input} it has no references. */
  inline(schema: z.ZodType): JsonSchema {
    const collected = this.#collect(schema, "input");
    const reference = collected["$ref"];
    if (typeof reference !== "string") return marked(collected, "input");
    const named = this.#definitions.input[reference.slice(definitionPrefix.length)];
    return marked(named ?? {}, "input");
  }

  /** Points every reference to its component, and adds the components to the document. */
  resolve<Document extends { readonly components: Readonly<Record<string, unknown>> }>(
    document: Document,
  ): Document {
    const differing = this.#differing();
    const nameOf = (name: string, direction: Direction): string =>
      direction === "input" && differing.has(name) ? `${name}Input` : name;
    const components: Definitions = {};
    for (const direction of ["output", "input"] as const) {
      for (const [name, definition] of Object.entries(this.#definitions[direction])) {
        components[nameOf(name, direction)] = renamed(marked(definition, direction), nameOf);
      }
    }
    const used = renamed(document, nameOf);
    const schemas = reachable(used, components);
    return { ...used, components: { ...used.components, schemas } };
  }

  #collect(schema: z.ZodType, io: Direction): JsonSchema {
    const text = JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12", io }));
    const {
      $schema: _dialect,
      $defs: definitions,
      ...rest
    } = JSON.parse(text, tidied) as JsonSchema;
    Object.assign(this.#definitions[io], definitions);
    return rest;
  }

  /** Names whose request schema differs, directly or through a reference. */
  #differing(): ReadonlySet<string> {
    const { input, output } = this.#definitions;
    const differing = new Set(
      Object.keys(input).filter(
        (name) => name in output && JSON.stringify(input[name]) !== JSON.stringify(output[name]),
      ),
    );
    let size: number;
    do {
      size = differing.size;
      for (const [name, definition] of Object.entries(input)) {
        if (name in output && references(definition).some((other) => differing.has(other))) {
          differing.add(name);
        }
      }
    } while (differing.size > size);
    return differing;
  }
}

/** Leaves out the bounds of JavaScript's safe integers. */
function tidied(name: string, value: unknown): unknown {
  const isBound = name === "minimum" || name === "maximum";
  if (isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return undefined;
  return value;
}

/** Adds the direction to each reference, until all names are known. */
function marked(schema: JsonSchema, direction: Direction): JsonSchema {
  return mapped(schema, (reference) =>
    reference.startsWith(definitionPrefix)
      ? `${direction}:${reference.slice(definitionPrefix.length)}`
      : reference,
  );
}

function renamed<Value>(
  value: Value,
  nameOf: (name: string, direction: Direction) => string,
): Value {
  return mapped(value, (reference) => {
    const match = /^(input|output):(.+)$/.exec(reference);
    if (match === null) return reference;
    const direction = match[1] === "input" ? "input" : "output";
    return componentPrefix + nameOf(match[2] ?? "", direction);
  });
}

/** A copy with every `$ref` changed. */
function mapped<Value>(value: Value, change: (reference: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (name: string, member: unknown) =>
    name === "$ref" && typeof member === "string" ? change(member) : member,
  ) as Value;
}

function references(value: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(value, (name: string, member: unknown) => {
    if (name === "$ref" && typeof member === "string") found.push(nameIn(member));
    return member;
  });
  return found;
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The components that the document refers to, sorted by name. */
function reachable(document: unknown, components: Definitions): Definitions {
  const names = new Set<string>();
  const waiting = references(document);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const component = components[name];
    if (component === undefined || names.has(name)) continue;
    names.add(name);
    waiting.push(...references(component));
  }
  return Object.fromEntries([...names].toSorted().map((name) => [name, components[name] ?? {}]));
}
