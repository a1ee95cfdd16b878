import type { ReportDefinition } from "#contract/geo/reports.ts";
import type { Fault } from "#contract/problems.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { Work } from "../../../work/work.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../../object-types/service.ts";
import { metricFault, parseWhere } from "../../records/service.ts";

const notReadable = "is not a property of this type";

/**
 * Decides which reports exist for a caller: those whose type and properties the caller may read. A
 * type that is missing is like one that the caller may not read, except for tenant-admin.
 */
export class VisibleReports {
  constructor(private readonly objectTypes: Pick<ObjectTypeService, "find">) {}

  async isVisible(work: Work, workspaceId: string, definition: ReportDefinition): Promise<boolean> {
    return (await this.#faults(work, workspaceId, definition)).length === 0;
  }

  /** Refuses 422 with a pointer to each name of the definition that does not exist for the caller. */
  async requireVisible(
    work: Work,
    workspaceId: string,
    definition: ReportDefinition,
  ): Promise<void> {
    const faults = await this.#faults(work, workspaceId, definition);
    if (faults.length > 0) throw invalid(faults);
  }

  /** True if every report of the workspace exists for the caller. */
  seesAll(work: Work, workspaceId: string): boolean {
    const held = work.roleIn(workspaceId);
    return held === "platform" || (held !== "none" && held.role === "tenant-admin");
  }

  async #faults(work: Work, workspaceId: string, definition: ReportDefinition): Promise<Fault[]> {
    const { source } = definition;
    if ("dataset" in source || this.seesAll(work, workspaceId)) return [];
    const found = await this.objectTypes.find(workspaceId, source.type);
    const type = found && readableFields(work, found);
    if (type === undefined) {
      return [faultAt("body", ["source", "type"], "is not an Object Type that you may read")];
    }
    return type.isPartial ? unreadableNames(type, definition, source.property) : [];
  }
}

function unreadableNames(
  type: ReadableType,
  { where, metrics = {} }: ReportDefinition,
  property: string,
): Fault[] {
  const faults = Object.entries(metrics).flatMap(([name, { field }]) => {
    const fault = field === undefined ? undefined : metricFault(type, field, "count");
    return fault === undefined ? [] : [faultAt("body", ["metrics", name, "field"], fault)];
  });
  if (ownMember(type.properties, property) === undefined) {
    faults.push(faultAt("body", ["source", "property"], notReadable));
  }
  const parsed = where === undefined ? undefined : parseWhere(where, ["where"], [type]);
  return [...faults, ...(parsed?.faults ?? [])];
}
