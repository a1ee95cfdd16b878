import { compilePattern, PatternError } from "#lib/pattern.ts";
import { ownMember } from "#lib/own-member.ts";
import type { ActionDefinition, LinkType } from "./object-types.ts";
import { namesOneTarget, otherTarget, type PropertyDefinition } from "./properties.ts";
import { pointer, type Fault } from "../problems.ts";
import { parameterIn } from "../resources/actions.ts";
import { meaningFaults, repeatedMeanings } from "./meaning.ts";
import { checkValue } from "./record.ts";
import { walkProperties } from "./walk.ts";

/** The parts of a definition that must be consistent with each other. */
export interface DefinitionParts {
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly linkTypes: readonly LinkType[];
  readonly actions: readonly ActionDefinition[];
}

type Path = readonly (string | number)[];
type Keyword = keyof PropertyDefinition;

/** Levels of properties within properties. */
const maximumNesting = 16;
/** Properties of a type, including nested ones. */
const maximumProperties = 1000;
/** Bytes of a definition as JSON: one list page returns hundreds of definitions. */
const maximumBytes = 1024 * 1024;

const textTypes: readonly string[] = ["string", "text", "email", "url"];
const numberTypes: readonly string[] = ["integer", "number"];

/** The types that each keyword applies to; on other types it would have no effect. */
const keywordTypes: Partial<Record<Keyword, readonly string[]>> = {
  minimum: numberTypes,
  maximum: numberTypes,
  minLength: textTypes,
  maxLength: textTypes,
  pattern: textTypes,
  minItems: ["array"],
  maxItems: ["array"],
  items: ["array"],
  properties: ["object"],
  enum: ["enum", ...textTypes, ...numberTypes],
  targetObjectType: ["reference"],
  target_type: ["reference"],
  onDelete: ["reference"],
  accept: ["file"],
};

/** Types that a database can index and sort records by. */
export const indexableTypes: ReadonlySet<string> = new Set([
  ...textTypes,
  ...numberTypes,
  "boolean",
  "date",
  "datetime",
  "enum",
  "reference",
]);

/** Faults of a definition that its zod schema can't express, with pointers into the definition. */
export function definitionFaults(definition: DefinitionParts): Fault[] {
  const checker = new DefinitionChecker();
  checker.size(definition);
  checker.properties(definition.properties, ["properties"]);
  checker.faults.push(...repeatedMeanings(definition.properties));
  checker.links(definition);
  checker.actions(definition);
  return checker.faults;
}

class DefinitionChecker {
  readonly faults: Fault[] = [];
  #count = 0;

  size({ properties, linkTypes, actions }: DefinitionParts): void {
    const text = JSON.stringify([properties, linkTypes, actions]);
    // A UTF-16 unit is at most three bytes of UTF-8, so most definitions need no encoding.
    if (text.length * 3 <= maximumBytes) return;
    const { byteLength } = new TextEncoder().encode(text);
    if (byteLength > maximumBytes) {
      this.#fault([], `has ${byteLength} bytes as JSON; must have at most ${maximumBytes}`);
    }
  }

  properties(properties: DefinitionParts["properties"], base: Path, above = 0): void {
    const faultsBefore: number[] = [];
    walkProperties(
      properties,
      {
        enter: ({ property, path, level }) => {
          if (!this.#isWithinLimits(path, level + above)) return false;
          this.#keywords(property, path);
          this.#indexes(property, path, level + above);
          faultsBefore.push(this.faults.length);
          this.#bounds(property, path);
          this.#patternAndEnum(property, path);
          this.faults.push(...meaningFaults(property, path, level + above));
          return true;
        },
        leave: ({ property, path }) => {
          // A default is checked only against a valid property.
          if (this.faults.length > (faultsBefore.pop() ?? 0) || property.default === undefined)
            return;
          this.faults.push(...checkValue(property, property.default, [...path, "default"]));
        },
      },
      base,
    );
  }

  #isWithinLimits(path: Path, level: number): boolean {
    this.#count += 1;
    if (this.#count === maximumProperties + 1) {
      this.#fault(path, `exceeds the limit of ${maximumProperties} properties`);
    }
    if (this.#count > maximumProperties) return false;
    if (level > maximumNesting) this.#fault(path, `nests deeper than ${maximumNesting} levels`);
    return level <= maximumNesting;
  }

  links({ linkTypes, properties }: DefinitionParts): void {
    const names = new Set<string>();
    linkTypes.forEach(({ name }, index) => {
      this.#uniqueName(name, names, ["linkTypes", index]);
      if (Object.hasOwn(properties, name)) {
        this.#fault(["linkTypes", index, "name"], `"${name}" is already the name of a property`);
      }
    });
  }

  #uniqueName(name: string, names: Set<string>, path: Path): void {
    if (names.has(name)) this.#fault([...path, "name"], `"${name}" is given twice`);
    names.add(name);
  }

  /** Runs after the properties: constants of an action are checked only against valid ones. */
  actions({ actions, properties }: DefinitionParts): void {
    const areValid = this.faults.length === 0;
    const names = new Set<string>();
    actions.forEach(({ name: action, parameters = {}, set = {}, transition }, index) => {
      const path = ["actions", index];
      this.#uniqueName(action, names, path);
      this.properties(parameters, [...path, "parameters"], 1);
      for (const [name, value] of Object.entries(set)) {
        const place = [...path, "set", name];
        const property = ownMember(properties, name);
        const parameter = parameterIn(value);
        if (property === undefined) {
          this.#fault(place, notAProperty);
        } else if (property.type === "file") {
          this.#fault(place, "is a file, which no action can set");
        } else if (parameter !== undefined) {
          if (ownMember(parameters, parameter) !== undefined) continue;
          this.#fault(place, `"${parameter}" is not a parameter of this action`);
        } else if (value === null) {
          if (property.required === true) this.#fault(place, "is required and can't be removed");
        } else if (areValid) {
          this.faults.push(...checkValue(property, value, place));
        }
      }
      if (transition === undefined) return;
      this.#transition(transition, properties, [...path, "transition"]);
    });
  }

  #transition(
    { property: name, from, to }: NonNullable<ActionDefinition["transition"]>,
    properties: DefinitionParts["properties"],
    path: Path,
  ): void {
    const property = ownMember(properties, name);
    if (property === undefined) return this.#fault([...path, "property"], notAProperty);
    if (property.type !== "enum" && !textTypes.includes(property.type)) {
      const detail = `has the type ${property.type}; a state must be text`;
      return this.#fault([...path, "property"], detail);
    }
    const isChoice = (state: string) => property.enum?.includes(state) !== false;
    from.forEach((state, at) => {
      if (!isChoice(state)) this.#fault([...path, "from", at], notAChoice);
    });
    if (!isChoice(to)) this.#fault([...path, "to"], notAChoice);
  }

  #keywords(property: PropertyDefinition, path: Path): void {
    for (const [keyword, types] of Object.entries(keywordTypes)) {
      if (property[keyword as Keyword] === undefined || types.includes(property.type)) continue;
      this.#fault([...path, keyword], `does not apply to the type ${property.type}`);
    }
    if (property.type === "enum" && property.enum === undefined) {
      this.#fault([...path, "enum"], "is required for the type enum");
    }
    if (property.type === "reference" && property.targetObjectType === undefined) {
      this.#fault([...path, "targetObjectType"], "is required for the type reference");
    }
    if (!namesOneTarget(property)) this.#fault([...path, "target_type"], otherTarget);
    if (property.onDelete === "clear" && property.required === true) {
      this.#fault([...path, "onDelete"], "can't be clear: the property is required");
    }
    if (property.type === "file" && property.default !== undefined) {
      this.#fault([...path, "default"], "does not apply to the type file");
    }
  }

  #indexes(property: PropertyDefinition, path: Path, level: number): void {
    for (const keyword of ["indexed", "unique"] as const) {
      if (property[keyword] !== true) continue;
      if (level > 1) this.#fault([...path, keyword], "applies only to top-level properties");
      else if (!indexableTypes.has(property.type) || isMixed(property.enum)) {
        this.#fault([...path, keyword], `does not apply to the type ${property.type}`);
      }
    }
    for (const keyword of ["readRoles", "writeRoles"] as const) {
      if (property[keyword] === undefined || level <= 1) continue;
      this.#fault([...path, keyword], "applies only to top-level properties");
    }
    const isText = property.type === "enum" || textTypes.includes(property.type);
    const isTextList = property.type === "array" && property.items?.type === "string";
    if (property.searchable === true && !isText && !isTextList) {
      this.#fault([...path, "searchable"], `does not apply to the type ${property.type}`);
    }
  }

  #bounds(property: PropertyDefinition, path: Path): void {
    const pairs = [
      ["minimum", "maximum"],
      ["minLength", "maxLength"],
      ["minItems", "maxItems"],
    ] as const;
    for (const [low, high] of pairs) {
      const [least, most] = [property[low], property[high]];
      if (least !== undefined && most !== undefined && least > most) {
        this.#fault([...path, low], `must be at most ${high}`);
      }
    }
  }

  #patternAndEnum(property: PropertyDefinition, path: Path): void {
    if (property.pattern !== undefined) {
      try {
        compilePattern(property.pattern);
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        this.#fault([...path, "pattern"], error.message);
      }
    }
    const choices = property.enum ?? [];
    if (new Set(choices).size !== choices.length) {
      this.#fault([...path, "enum"], "has a choice twice");
    }
    const expected = textTypes.includes(property.type) ? "string" : "number";
    choices.forEach((choice, index) => {
      if (property.type !== "enum" && typeof choice !== expected) {
        this.#fault([...path, "enum", index], `must be of the type ${property.type}`);
      }
    });
  }

  #fault(path: Path, detail: string): void {
    this.faults.push({ pointer: pointer(...path), detail });
  }
}

const notAProperty = "is not a property of this type";
const notAChoice = "must be one of the property's choices";

/** True if an enum has texts and numbers: they have no common order and no index. */
export function isMixed(choices: PropertyDefinition["enum"]): boolean {
  return choices !== undefined && new Set(choices.map((choice) => typeof choice)).size > 1;
}
