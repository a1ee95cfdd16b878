import { Refusal } from "#contract/problems.ts";
import type { Work } from "../../work/work.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../object-types/service.ts";
import { compiledRule } from "./compiled-rule.ts";
import type { RuleRecord } from "./store.ts";
import { settingsOf } from "./wire.ts";

/** A caller, and where to find the types of rules. */
interface RuleReader {
  readonly work: Work;
  readonly oid: string;
  readonly objectTypes: Pick<ObjectTypeService, "find">;
}

/**
 * True for a rule of others that names a type or a property which the caller may not read: it does
 * not exist for them. A rule whose type or property is gone is visible to all who see rules.
 */
export async function isHiddenRule(
  { work, oid, objectTypes }: RuleReader,
  row: RuleRecord,
): Promise<boolean> {
  if (row.to_user === oid) return false;
  const compiles = async (
    typeOf: (
      type: NonNullable<Awaited<ReturnType<ObjectTypeService["find"]>>>,
    ) => ReadableType | undefined,
  ): Promise<boolean> => {
    try {
      await compiledRule(row.kind, settingsOf(row), async (slug) => {
        const found = await objectTypes.find(row.workspace_id, slug);
        return found && typeOf(found);
      });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
  if (await compiles((type) => readableFields(work, type))) return false;
  return compiles((type) => type.whole);
}
