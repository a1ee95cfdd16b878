import * as z from "zod";
import { couplings, kinds, lanes, packageProfiles, readinessStates } from "./values.ts";

const id = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, "must be kebab-case, e.g. tree-register");
const words = (maximum: number) => z.string().min(1).max(maximum);
const list = (maximum: number) => z.array(words(300)).max(maximum);

/** A building block, as the catalog shows it and as a project's own file has it. */
const members = {
  id,
  name: words(100),
  summary: words(500),
  kind: z.enum(kinds),
  lane: z.enum(lanes),
  coupling: z.enum(couplings),
  readiness: z.enum(readinessStates),
  packageProfile: z.enum(packageProfiles),
  package: words(100),
  routes: list(500),
  commands: list(500),
  objectTypes: list(500),
  reasons: list(100),
};

/** A project's own block: what can be derived may be missing. */
const customMembers = {
  ...members,
  kind: members.kind.default("custom"),
  lane: members.lane.default("addon"),
  coupling: members.coupling.default("external-safe"),
  readiness: members.readiness.default("preview"),
  packageProfile: members.packageProfile.default("external"),
  package: members.package.default("project"),
  routes: members.routes.default([]),
  commands: members.commands.default([]),
  objectTypes: members.objectTypes.default([]),
  reasons: members.reasons.default([]),
};

export const block = z.strictObject(members);
export type Block = z.output<typeof block>;

const inFile = <Shape extends z.ZodType>(one: Shape) =>
  z.union([z.array(one).max(1000), z.object({ blocks: z.array(one).max(1000) })]);

/** A file of blocks; members of other names are allowed. */
export const blockFile = inFile(z.looseObject(customMembers));
/** A file of blocks without members of other names. */
export const strictBlockFile = inFile(z.strictObject(customMembers));

/** The JSON Schema of a file of blocks. */
export function blockFileSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(strictBlockFile, { io: "input", target: "draft-2020-12" }),
    title: "Building blocks of a project",
  };
}
