import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { invalid } from "../../../http/faults.ts";
import type { Database } from "../../../database/database.ts";
import { recordById } from "../store/records.ts";
import { listRecords } from "../store/read/list.ts";
import { creationOrder } from "../store/read/sort.ts";
import { parseWhere } from "../../../database/where/parse.ts";
import type { RecordLookup } from "../../documents/record-lookup.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import { resourceOf } from "../record.ts";

const lookupLimit = 100;

/** Records for other domains, which may ask for an Object Type that the workspace does not have. */
export class ResourceLookup implements RecordLookup {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;

  constructor(options: { database: Database; objectTypes: ObjectTypeService }) {
    this.#database = options.database;
    this.#objectTypes = options.objectTypes;
  }

  /** Undefined when there is none, or no such Object Type. */
  async findRecord(workspaceId: string, slug: string, id: string): Promise<Resource | undefined> {
    const type = await this.#objectTypes.find(workspaceId, slug);
    if (type === undefined) return undefined;
    const record = await recordById(this.#database.read, type, id);
    return record === undefined ? undefined : resourceOf(type, record);
  }

  /** The first 100 records that pass a filter, oldest first. */
  async findRecords(
    workspaceId: string,
    slug: string,
    where: JsonObject,
  ): Promise<readonly Resource[]> {
    const type = await this.#objectTypes.find(workspaceId, slug);
    if (type === undefined) return [];
    const parsed = parseWhere(where, ["where"], [type]);
    if (parsed.faults !== undefined) throw invalid(parsed.faults);
    const { records } = await listRecords(this.#database, {
      type,
      condition: parsed.condition,
      keys: creationOrder(),
      after: undefined,
      offset: 0,
      limit: lookupLimit,
    });
    return records.map((record) => resourceOf(type, record));
  }
}
