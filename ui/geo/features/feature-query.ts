import type { JsonObject } from "#client/index.ts";
import { parseFilter, type Properties } from "../../kit/filter/filter-language.ts";
import type { TextFilter } from "../../kit/filter/use-filter.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";
import type { ShownDataset } from "../../shell/router.ts";

/** A typed filter as a query of the features of a dataset, or the reason why it is none. */
export type FeatureQuery =
  | {
      readonly bbox?: number[];
      readonly near?: { readonly position: [number, number]; readonly metres: number };
      readonly where?: JsonObject;
    }
  | { readonly problem: string };

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const range = /^(?:[+-]?[\d.]+)?\.\.(?:[+-]?[\d.]+)?$/;
const term = /(?:^|\s)-?([\w.]+)(?:!=|[<>]=?|[:=][<>]?=?)("?)([^\s"]*)/g;

/** A dataset declares no properties: a value that is a number is compared as one. */
function propertiesIn(text: string, names: readonly string[]): Properties {
  const named = names.map((name) => [name, { type: "string" }] as const);
  const typed = [...text.matchAll(term)].map(([, name = "", quote, value = ""]) => {
    const isNumber = quote === "" && (decimal.test(value) || range.test(value));
    return [name, { type: isNumber ? "number" : "string" }] as const;
  });
  return Object.fromEntries([...named, ...typed]);
}

/** The names of features where a dataset declares none. */
const usualNames = ["name", "title"];

export function namesOf(declared: readonly string[]): readonly string[] {
  return declared.length === 0 ? usualNames : declared;
}

/**
 * Reads `west,south,east,north`, `longitude,latitude,metres`, a `where` as JSON, or terms such as
 * `kind:park height>3`; bare words are searched in the names.
 */
export function featureQuery(text: string, declared: readonly string[]): FeatureQuery {
  const parts = text.split(",").map((part) => part.trim());
  const numbers = parts.map(Number);
  if (parts.length > 2 && parts.every((part) => decimal.test(part))) {
    const [first = 0, second = 0, third = 0] = numbers;
    if (numbers.length === 4) return { bbox: numbers };
    if (numbers.length === 3) return { near: { position: [first, second], metres: third } };
    return { problem: "needs west,south,east,north or longitude,latitude,metres" };
  }
  const parsed = parseFilter(text, propertiesIn(text, namesOf(declared)), {});
  if ("problem" in parsed) return { problem: parsed.problem };
  return parsed.where === undefined ? {} : { where: parsed.where };
}

/** The filter of a dataset's features, in the list and on the map. */
export function featureFilter({ id, names }: ShownDataset): TextFilter {
  return {
    key: `shown features of ${id}`,
    label: "filter",
    placeholder: "kind:park height>3  a name  west,south,east,north  longitude,latitude,metres",
    fact: "filter",
    noMatch: "No feature matches this filter.",
    problemOf: (text) => {
      const query = featureQuery(text, names);
      return "problem" in query ? query.problem : undefined;
    },
  };
}

/** The options of `svc geo features list` with a filter. */
export function queryOptions(text: string, declared: readonly string[]): CommandOptions {
  const query = featureQuery(text, declared);
  if ("problem" in query) return {};
  const { bbox, near, where } = query;
  return {
    bbox: bbox?.join(","),
    near: near && [...near.position, near.metres].join(","),
    where: where && JSON.stringify(where),
  };
}
