import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";

/** The oldest system kernels that the runtime supports, by the names of `process.platform`. */
const kernels = { linux: "5.1", darwin: "22.0" };

/** The file of an archive that has the needs of its release. */
export const needsFile = "needs.json";

const dotted = z.string().regex(/^\d+(\.\d+){0,2}$/);

/** The needs of a release, which a machine must meet before it is installed. */
const releaseNeeds = z.object({
  /** The oldest version that it can take the place of. */
  from: z.string().regex(/^\d+\.\d+\.\d+/),
  /** The oldest change of the schema that a database must have. */
  schema: z.string().regex(/^\d{4}-/),
  /** The oldest kernels, by system. */
  kernels: z.record(z.string(), dotted),
});
export type ReleaseNeeds = z.output<typeof releaseNeeds>;

/** The needs of the release that these sources make. */
export const ownNeeds: ReleaseNeeds = { from: "0.1.0", schema: "0001-first-schema", kernels };

/** The needs in a file of an archive; undefined for a file that can't be read. */
export function readNeeds(content: Uint8Array): ReleaseNeeds | undefined {
  return releaseNeeds.safeParse(parsedJson(new TextDecoder().decode(content))).data;
}

/** The machine that a release would be installed on. */
export interface Machine {
  readonly version: string;
  readonly system: string;
  /** The version of its kernel, e.g. `6.1.0-18-amd64`. */
  readonly kernel: string;
  /** The newest change of the schema of its platform's database, and where the data are. */
  readonly data: { readonly place: string; readonly schema: string } | undefined;
}

export interface UnmetNeed {
  readonly reason: string;
  readonly nextStep: string;
}

/** The first need that a machine does not meet. */
export function unmetNeed(needs: ReleaseNeeds, machine: Machine): UnmetNeed | undefined {
  const { version, system, kernel, data } = machine;
  if (Bun.semver.order(version, needs.from) < 0) {
    const reason = `it takes the place of version ${needs.from} or newer, and this is ${version}`;
    return { reason, nextStep: `Install version ${needs.from} first, with svc update --from` };
  }
  const needed = needs.kernels[system];
  const found = /^\d+(\.\d+){0,2}/.exec(kernel)?.[0];
  if (needed !== undefined && found !== undefined && isBefore(found, needed)) {
    const reason = `it needs the kernel ${needed} or newer, and this machine has ${kernel}`;
    return { reason, nextStep: "Update the system first, or stay with the installed version" };
  }
  if (data !== undefined && data.schema < needs.schema) {
    const { place, schema } = data;
    const reason = `it needs data with the change "${needs.schema}", and ${place} has "${schema}"`;
    const nextStep = `Run \`svc serve migrate --data-dir ${place}\` with a version in between`;
    return { reason, nextStep };
  }
  return undefined;
}

function isBefore(one: string, other: string): boolean {
  const [left = [], right = []] = [one, other].map((text) => text.split(".").map(Number));
  for (const [at, number] of right.entries()) {
    if ((left[at] ?? 0) !== number) return (left[at] ?? 0) < number;
  }
  return false;
}
