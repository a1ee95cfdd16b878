import type * as z from "zod";
import { isConfigurationType } from "#contract/access/configuration-types.ts";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import { ArchiveDamagedError } from "#lib/archive/read-archive.ts";
import { sortedJson } from "#lib/json/value.ts";
import { statement } from "../../../database/statement.ts";
import type { Work } from "../../../work/work.ts";
import type { KeptType, ObjectTypeService } from "../../object-types/service.ts";
import { parsed, typeLine } from "./archived-lines.ts";
import type { Line } from "./copy-rows.ts";

/** The workspace has what the archive would store. */
export class ImportRefusedError extends Error {
  override readonly name = "ImportRefusedError";
}

interface PresentType {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The definition as JSON text. */
  readonly definition: string;
}

/**
 * Makes the Object Types of an archive, and returns how many the workspace has then. Each new
 * workspace has the types of the platform: one with the same definition is that of the archive, and
 * an unused one of another version becomes it.
 * Throws `ImportRefusedError` where a slug is taken by a type with another definition.
 */
export async function storeTypes(
  work: Work,
  objectTypes: ObjectTypeService,
  workspaceId: string,
  lines: readonly Line[],
): Promise<number> {
  const types = lines.map((line) => parsed(typeLine, line));
  const rows = await work.read.all<PresentType>(statement`select slug, id, name, definition
    from object_types where workspace_id = ${workspaceId}`);
  const present = new Map(rows.map((row) => [row.slug, row]));
  const others = types.filter(({ slug, id }) => present.get(slug)?.id !== id);
  const otherwise = others.filter((type) => isDifferent(type, present.get(type.slug)));
  // A platform type of another version gives way, if nothing has used it.
  const replaced = otherwise.map(({ slug }) => slug).filter(isConfigurationType);
  const different = otherwise.filter(({ slug }) => !replaced.includes(slug));
  if (different.length > 0) {
    const slugs = different.map(({ slug }) => slug).join(", ");
    throw new ImportRefusedError(
      `The workspace has Object Types of other definitions with slugs of the archive: ${slugs}`,
    );
  }
  const kept = new Map(others.map((type) => [type.slug, keptOf(type)]));
  const creations = others
    .filter(({ slug }) => !present.has(slug) || replaced.includes(slug))
    .map(({ slug, name, definition }) => {
      const { retired: _kept, ...parts } = definition;
      return parsed(objectTypeCreation, { slug, name, ...parts });
    });
  const alike = others
    .map(({ slug }) => slug)
    .filter((slug) => present.has(slug) && !replaced.includes(slug));
  try {
    const made = { creations, alike, replaced };
    await objectTypes.createArchived(work, workspaceId, made, (slug) => kept.get(slug));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new ImportRefusedError(`Its Object Types cannot be made: ${error.message}`);
  }
  return types.length;
}

type ArchivedType = z.output<typeof typeLine>;

function isDifferent(
  { name, definition }: ArchivedType,
  present: PresentType | undefined,
): boolean {
  if (present === undefined) return false;
  const stored: unknown = JSON.parse(present.definition);
  return name !== present.name || sortedJson(definition) !== sortedJson(stored);
}

function keptOf({ slug, status, definition, ...own }: ArchivedType): KeptType {
  const { id, version, created_by, created_at, updated_by, updated_at } = own;
  if (status !== "published") throw new ArchiveDamagedError(`the type ${slug} is not published`);
  const times = { created_by, created_at, updated_by, updated_at };
  return { id, status, version, ...times, retired: definition.retired };
}
