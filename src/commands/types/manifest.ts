import { Shown, shown } from "#cli/shown.ts";
import { basename, relative } from "node:path";
import * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { definitionFaults } from "#contract/object-types/definition.ts";
import { placedProperties } from "#contract/object-types/walk.ts";
import {
  objectTypeCreation,
  type ObjectTypeCreation,
} from "#contract/object-types/object-types.ts";
import { pointer, type Fault } from "#contract/problems.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { counted } from "#lib/text/counted.ts";
import type { CommandContext } from "../kit/context.ts";
import { requireProject } from "../kit/input/project.ts";

/** The checked Object Types of the project's file, with every link target as an exact slug. */
export interface Manifest {
  /** Relative to the current directory. */
  readonly file: string;
  readonly types: readonly ObjectTypeCreation[];
}

const link = z.looseObject({ targetObjectType: z.string() });

/** Replaces type names of the same file in link targets with their slugs (spec 2.2). */
function resolveTargets(raw: unknown, slugByName: ReadonlyMap<string, string>): unknown {
  const entry = z.looseObject({ linkTypes: z.array(link) }).safeParse(raw);
  if (!entry.success) return raw;
  const linkTypes = entry.data.linkTypes.map((linkType) => ({
    ...linkType,
    targetObjectType: slugByName.get(linkType.targetObjectType) ?? linkType.targetObjectType,
  }));
  return { ...entry.data, linkTypes };
}

function named(raw: unknown): { name: string; slug: string } | undefined {
  const parsed = z.looseObject({ name: z.string(), slug: z.string() }).safeParse(raw);
  return parsed.success ? parsed.data : undefined;
}

/** A target that the file does not declare, with its place. */
export interface ForeignTarget {
  readonly pointer: string;
  readonly target: string;
}

/** Targets of links and references that no type of the file has as its slug (spec 2.2). */
export function foreignTargets(types: readonly ObjectTypeCreation[]): ForeignTarget[] {
  const own = new Set(types.map(({ slug }) => slug));
  return types.flatMap(({ linkTypes, properties }, index) =>
    [
      ...linkTypes.map(({ targetObjectType: target }, at) => ({
        pointer: pointer(index, "linkTypes", at, "targetObjectType"),
        target,
      })),
      ...placedProperties(properties).map(({ property: { targetObjectType: target }, path }) => ({
        pointer: pointer(index, ...path, "targetObjectType"),
        target,
      })),
    ].flatMap(({ target, pointer: place }) =>
      target === undefined || own.has(target) ? [] : [{ pointer: place, target }],
    ),
  );
}

/** Throws E301 for each target that is neither in the file nor stored in the workspace. */
export function requireTargets(
  { file, types }: Manifest,
  stored: readonly { readonly slug: string }[],
): void {
  const known = new Set(stored.map(({ slug }) => slug));
  const errors = foreignTargets(types)
    .filter(({ target }) => !known.has(target))
    .map(({ pointer: place, target }) => ({
      pointer: place,
      detail: `"${target}" is neither in the file nor stored in the workspace`,
    }));
  if (errors.length === 0) return;
  const details = `${counted(errors.length, "fault")} in ${file}`;
  throw catalogError("E301", { details }, { problem: { errors } });
}

function duplicateFaults(types: readonly unknown[]): Fault[] {
  const faults: Fault[] = [];
  for (const key of ["slug", "name"] as const) {
    const seen = new Map<string, number>();
    types.forEach((raw, index) => {
      const value = named(raw)?.[key];
      if (value === undefined) return;
      const first = seen.get(value);
      if (first === undefined) seen.set(value, index);
      else {
        const detail = `"${value}" is already used by entry ${first}`;
        faults.push({ pointer: pointer(index, key), detail });
      }
    });
  }
  return faults;
}

/** The valid definitions of the file, and the faults of the others. */
function checkDefinitions(raw: readonly unknown[]): {
  types: ObjectTypeCreation[];
  faults: Fault[];
} {
  const slugByName = new Map<string, string>();
  for (const entry of raw) {
    const known = named(entry);
    if (known !== undefined) slugByName.set(known.name, known.slug);
  }
  const faults = duplicateFaults(raw);
  const types: ObjectTypeCreation[] = [];
  raw.forEach((entry, index) => {
    const parsed = objectTypeCreation.safeParse(resolveTargets(entry, slugByName));
    if (parsed.success) {
      types.push(parsed.data);
      for (const { pointer: place, detail } of definitionFaults(parsed.data)) {
        faults.push({ pointer: pointer(index) + place.slice(1), detail });
      }
      return;
    }
    for (const { path, detail } of schemaFaults(parsed.error)) {
      faults.push({ pointer: pointer(index, ...path), detail });
    }
  });
  return { types, faults };
}

/** Reads the project's Object Types file. Throws E001, E004, E005, or E301 with every fault. */
export async function readManifest(context: CommandContext): Promise<Manifest> {
  const project = await requireProject(context);
  const { loadObjectTypes } = await import("#local/object-types/file.ts");
  const { environment, output, signal } = context;
  const shownName = (file: string): string => relative(environment.currentDirectory, file);
  const loaded = await loadObjectTypes(project, {
    command: environment.selfCommand,
    variables: environment.variables,
    signal,
    onRun: async (file) =>
      void (await output.note(output.tone("dim", `Running ${shownName(file)}`))),
    onPrinted: async (text) => void (await output.note(Shown.block(text.trimEnd()))),
  });
  const { types, faults } = checkDefinitions(loaded.types);
  const file = shownName(loaded.file);
  if (loaded.passedOver !== undefined) {
    const other = basename(loaded.passedOver);
    await context.output.note(
      shown`Reading ${file}: ${other} is used only if that file imports it`,
    );
  }
  if (faults.length > 0) {
    const details = `${counted(faults.length, "fault")} in ${file}`;
    throw catalogError("E301", { details }, { problem: { errors: faults } });
  }
  return { file, types };
}
