import type * as zod from "zod";
import type { Domain, Routes } from "#contract/index.ts";

/** A route of the contract by its domain and name, e.g. `members.remove`. */
export type RouteId = {
  [Name in Domain]: `${Name}.${Extract<keyof Routes[Name], string>}`;
}[Domain];

/** The schema library, which an answer's function gets: a command's file does not load it. */
export interface AnswerKit {
  readonly z: typeof zod;
  /** The JSON that a route replies; an empty reply is printed as `null`. */
  reply(route: RouteId): zod.ZodType;
}

/**
 * The JSON that a command prints: the reply of a route, of one of several routes, or a schema. Only
 * a description evaluates it.
 */
export type Answer =
  | RouteId
  | readonly RouteId[]
  | ((kit: AnswerKit) => zod.ZodType | Promise<zod.ZodType>);
