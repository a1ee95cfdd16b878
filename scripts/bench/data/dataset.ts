import type { objectTypeCreation } from "#contract/object-types/object-types.ts";
import type * as z from "zod";

/** The slug of the type whose records everything here is measured on. */
export const typeSlug = "planning-application";

/** Four properties with an index, one that may be for the full text, and two with nothing. */
export function objectType(isSearched: boolean): z.input<typeof objectTypeCreation> {
  return {
    name: "PlanningApplication",
    slug: typeSlug,
    properties: {
      reference: { type: "string", required: true, indexed: true },
      status: { type: "enum", enum: [...statuses], indexed: true },
      officer: { type: "string", indexed: true },
      amount: { type: "number", indexed: true },
      ward: { type: "string" },
      area: { type: "integer" },
      description: { type: "text", searchable: isSearched },
    },
  };
}

export const indexedNames = ["reference", "status", "officer", "amount"] as const;

const statuses = ["open", "decided", "withdrawn", "appealed"] as const;
export const officerCount = 250;
const wardCount = 40;

export interface PlanningApplication {
  readonly reference: string;
  readonly status: string;
  readonly officer: string;
  readonly amount: number;
  readonly ward: string;
  readonly area: number;
  readonly description: string;
}

/** One record's data, about 250 bytes as JSON: always the same for the same index. */
export function recordData(index: number): PlanningApplication {
  const mixed = mix(index);
  return {
    reference: `PA-2026-${String(index).padStart(8, "0")}`,
    status: statuses[mixed % statuses.length] ?? "open",
    officer: officerName(mixed % officerCount),
    amount: (mixed % 10_000_000) / 100,
    ward: `Ward ${(mixed >>> 4) % wardCount}`,
    area: (mixed >>> 7) % 100_000,
    description: words(mixed),
  };
}

export function officerName(number: number): string {
  return `officer-${String(number).padStart(3, "0")}`;
}

/** Words of a description: a few that many have, and some of thousands that few have. */
function words(seed: number): string {
  const chosen: string[] = [];
  let state = seed;
  for (let at = 0; at < 14; at += 1) {
    state = mix(state + at);
    const common = vocabulary[state % vocabulary.length] ?? "";
    chosen.push(at % 4 === 3 ? wordAt(state % 20_000) : common);
  }
  return chosen.join(" ");
}

/** Words that about every third description has. */
export const vocabulary = [
  ..."extension garage dormer window timber fence listed building change use shop flat".split(" "),
  ..."demolition outbuilding access road drainage hedge tree conservation area roof".split(" "),
  ..."solar panel boundary wall terrace cottage barn conversion parking space signage".split(" "),
];

/** A made-up word, of about 20,000. */
export function wordAt(number: number): string {
  let rest = number + 1;
  let word = "";
  while (rest > 0) {
    word += `${"bdfglmnprstvz"[rest % 13]}${"aeiou"[Math.floor(rest / 13) % 5]}`;
    rest = Math.floor(rest / 65);
  }
  return `${word}n`;
}

/** A whole number without a sign that looks like chance. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
