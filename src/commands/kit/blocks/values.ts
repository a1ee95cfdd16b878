import type * as zod from "zod";

/** The terms of the catalog of building blocks (spec 4.7). Help reads them: no schema library. */
export const lanes = ["foundation", "product", "addon", "dev"] as const;
export const couplings = ["external-safe", "external-with-adapter", "internal-only"] as const;
export const readinessStates = ["public-ready", "preview", "internal", "blocked"] as const;
export const packageProfiles = ["external", "internal", "hybrid"] as const;
export const kinds = ["api", "commands", "template", "custom"] as const;
export const groupings = ["lane", "package", "coupling", "profile", "readiness"] as const;

export type Lane = (typeof lanes)[number];
export type Coupling = (typeof couplings)[number];
export type Readiness = (typeof readinessStates)[number];
export type PackageProfile = (typeof packageProfiles)[number];
export type Grouping = (typeof groupings)[number];

/** The schema of a block as commands print it. */
export function blockSchema(z: typeof zod) {
  const texts = z.array(z.string());
  return z.strictObject({
    id: z.string(),
    name: z.string(),
    summary: z.string(),
    kind: z.string(),
    lane: z.string(),
    coupling: z.string(),
    readiness: z.string(),
    packageProfile: z.string(),
    package: z.string(),
    routes: texts,
    commands: texts,
    objectTypes: texts,
    reasons: texts,
  });
}
