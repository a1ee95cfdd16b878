import type * as z from "zod";
import { given } from "#lib/given.ts";
import { answeredForm, fallbackOf, folded, isNamed, otherNamesOf } from "../deployments.ts";
import { changeNameOf, ruleOf } from "./rule.ts";
import type {
  Check,
  EitherShape,
  Fault,
  NumberShape,
  ObjectShape,
  Shape,
  TextEdit,
} from "./shape.ts";

type Schema = z.core.$ZodType;
type Definitions = z.core.$ZodTypes["_zod"]["def"];
type Definition<Type extends string> = Extract<Definitions, { readonly type: Type }>;
type CheckDefinition = z.core.$ZodChecks["_zod"]["def"];

/**
 * `sent`: with the checks of a request. `answered`: with the marks of an answer, whose checks
 * change nothing. `whole`: with both, as an option of an answer that its checks select.
 */
type Kind = "sent" | "answered" | "whole";

/** The shapes of schemas, each once. Throws for a schema that no shape describes. */
export class Shapes {
  readonly list: Shape[] = [];
  readonly #byText = new Map<string, number>();
  readonly #bySchema = {
    sent: new Map<Schema, number>(),
    answered: new Map<Schema, number>(),
    whole: new Map<Schema, number>(),
  } as const satisfies Record<Kind, unknown>;
  /** Schemas whose parts are read, with a place where they contain themselves. */
  readonly #open = new Map<Schema, number | undefined>();
  #kind: Kind = "whole";

  /** The place of a schema's shape in the list. */
  placeOf(schema: Schema, kind: Kind = this.#kind): number {
    const outer = this.#kind;
    this.#kind = kind;
    const place = this.#placeOf(schema, this.#bySchema[kind]);
    this.#kind = outer;
    return place;
  }

  #placeOf(definition: Schema, known: Map<Schema, number>): number {
    const schema = this.#kind === "sent" ? definition : answeredForm(definition);
    const place = known.get(schema);
    if (place !== undefined) return place;
    if (this.#open.has(schema)) {
      const reserved = this.#open.get(schema) ?? this.list.push({ is: "any" }) - 1;
      this.#open.set(schema, reserved);
      return reserved;
    }
    this.#open.set(schema, undefined);
    const shape = { ...this.#shapeOf(schema), ...this.#marksOf(schema) };
    const reserved = this.#open.get(schema);
    this.#open.delete(schema);
    if (reserved !== undefined) this.list[reserved] = shape;
    const made = reserved ?? this.#add(shape);
    known.set(schema, made);
    return made;
  }

  /** An option is selected by its checks. */
  #optionOf(schema: Schema): number {
    return this.placeOf(schema, this.#kind === "sent" ? "sent" : "whole");
  }

  #add(shape: Shape): number {
    const text = JSON.stringify(shape);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const place = this.list.push(shape) - 1;
    this.#byText.set(text, place);
    return place;
  }

  #marksOf(schema: Schema): Pick<Shape, "checks" | "isNamed" | "names" | "fallback"> {
    const all = checksOf(schema);
    const isChanged = all.some((check) => "edit" in check);
    const checks = this.#kind === "answered" && !isChanged ? [] : all;
    if (this.#kind === "sent") return given({ checks: checks.length > 0 ? checks : undefined });
    const names = otherNamesOf(schema);
    return given({
      checks: checks.length > 0 ? checks : undefined,
      isNamed: isNamed(schema) || undefined,
      names: names.length > 0 ? names : undefined,
      fallback: fallbackOf(schema),
    });
  }

  #shapeOf(schema: Schema): Shape {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "string":
        return { is: "text", ...given({ isTime: isTime(schema) || undefined }) };
      case "number":
        return numberShape(def);
      case "boolean":
      case "null":
        return { is: def.type };
      case "unknown":
        return { is: "any" };
      case "literal":
        return { is: "one of", values: def.values.map(plainValue) };
      case "enum":
        return { is: "one of", values: Object.values(def.entries) };
      case "array":
        return { is: "list", items: this.placeOf(def.element) };
      case "tuple":
        if (def.rest !== null) break;
        return { is: "tuple", parts: def.items.map((part) => this.#optionOf(part)) };
      case "record":
        return this.#mapShape(def);
      case "object":
        return this.#objectShape(def);
      case "optional":
      case "nullable":
        return { is: def.type, inner: this.placeOf(def.innerType) };
      case "default":
        return { is: "default", inner: this.placeOf(def.innerType), value: def.defaultValue };
      case "union":
        return this.#eitherShape(def);
      case "pipe":
        return { is: "then", first: this.#optionOf(def.in), next: this.#optionOf(def.out) };
      case "transform": {
        const by = changeNameOf(def.transform);
        if (by === undefined) throw new TypeError("A change of the contract has no name");
        return { is: "changed", by };
      }
      default:
    }
    throw new TypeError(`The contract has a ${def.type} that no plain shape describes`);
  }

  #mapShape({ keyType, valueType, mode }: Definition<"record">): Shape {
    if ((keyType as Schema)._zod.values !== undefined || mode === "loose") {
      throw new TypeError("The contract has a record that no plain shape describes");
    }
    return { is: "map", keys: this.placeOf(keyType), values: this.placeOf(valueType) };
  }

  #objectShape({ shape, catchall }: Definition<"object">): ObjectShape {
    const kind = catchall === undefined ? undefined : (catchall as z.core.$ZodTypes)._zod.def.type;
    if (!(kind === undefined || kind === "never" || kind === "unknown")) {
      throw new TypeError("The contract has an object that no plain shape describes");
    }
    const members = Object.entries(shape).map(([name, part]) => [name, this.placeOf(part)]);
    const needed = this.#kind === "sent" ? [] : ambiguousNames(shape);
    return {
      is: "object",
      members: Object.fromEntries(members),
      others: kind === undefined ? "dropped" : kind === "never" ? "refused" : "kept",
      ...given({ needed: needed.length > 0 ? needed : undefined }),
    };
  }

  #eitherShape(def: Definition<"union">): EitherShape {
    const options = def.options.map((option) => this.#optionOf(option));
    const by = "discriminator" in def ? def.discriminator : undefined;
    return { is: "either", options, ...(typeof by === "string" ? { by } : {}) };
  }
}

function isTime(schema: Schema): boolean {
  return (schema as z.ZodType).meta()?.["format"] === "date-time";
}

function plainValue(value: unknown): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  throw new TypeError("The contract has a literal that is no plain value");
}

function numberShape(def: Definition<"number">): NumberShape {
  const format = "format" in def ? def.format : undefined;
  if (format === undefined) return { is: "number" };
  if (format !== "safeint") {
    throw new TypeError("The contract has a number that no plain shape describes");
  }
  const ends = "abort" in def && def.abort === true;
  return { is: "number", whole: ends ? "ends" : "goes on" };
}

/** The checks of a schema in their order, the one of its format first. */
function checksOf(schema: Schema): readonly Check[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const format: readonly object[] = def.type === "string" && "format" in def ? [def] : [];
  const more = (def.checks ?? []).map((check) => check._zod.def);
  return [...format, ...more].flatMap(plainChecks);
}

function plainChecks(definition: object): readonly Check[] {
  const def = definition as CheckDefinition;
  switch (def.check) {
    case "min_length":
      return [{ least: def.minimum }];
    case "max_length":
      return [{ most: def.maximum }];
    case "length_equals":
      return [{ least: def.length }, { most: def.length }];
    case "greater_than":
      if (!def.inclusive) break;
      return [{ least: Number(def.value) }];
    case "less_than":
      if (!def.inclusive) break;
      return [{ most: Number(def.value) }];
    case "overwrite":
      return [{ edit: editOf(def.tx) }];
    case "string_format": {
      if (def.pattern === undefined) break;
      const { source, flags } = def.pattern;
      const { detail, ...ends } = faultOf(definition);
      const isUsual = detail === usualDetail;
      // A pattern without a message is shown itself.
      const fault = isUsual ? ends : { detail, ...ends };
      return [{ pattern: source, ...given({ flags: flags || undefined }), ...fault }];
    }
    default: {
      const { fn, path } = definition as CustomCheck;
      const use = fn === undefined ? undefined : ruleOf(fn);
      if (use === undefined) break;
      return [{ rule: use, ...given({ path: path?.map(String) }), ...faultOf(definition) }];
    }
  }
  throw new TypeError(`The contract has a check ${def.check} that no plain shape describes`);
}

interface CustomCheck {
  readonly fn?: object;
  readonly path?: readonly PropertyKey[];
}

interface FaultSource {
  readonly error?: (issue: object) => unknown;
  readonly abort?: boolean;
  readonly format?: string;
}

const usualDetail = "Invalid input";

/** Messages of formats whose schemas name none. */
const formatNames: Readonly<Record<string, string>> = { datetime: "ISO datetime", uuid: "UUID" };

function faultOf(definition: object): Fault {
  const { error, abort, format = "" } = definition as FaultSource;
  const detail = error?.({});
  const name = formatNames[format];
  const usual = name === undefined ? usualDetail : `Invalid ${name}`;
  return {
    detail: typeof detail === "string" ? detail : usual,
    ...given({ ends: abort === true || undefined }),
  };
}

function editOf(edit: (value: unknown) => unknown): TextEdit {
  const edited = edit(" Aa ");
  if (edited === "Aa") return "trimmed";
  if (edited === " aa ") return "lower case";
  throw new TypeError("The contract has an edit of a text that has no name");
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
