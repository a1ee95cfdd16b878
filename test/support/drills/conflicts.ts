import { memberOf, type DrillSession } from "./session.ts";

export interface ConflictOutcome {
  /** Updates that were answered with a success. */
  readonly acknowledged: number;
  /** Updates that were refused since another came first, and were tried again. */
  readonly conflicts: number;
  readonly version: number;
  /** The record's count after all clients' increments. */
  readonly count: number;
}

/**
 * `clients` callers who all count up one record `writes` times each, with the version they read,
 * and read it again when another client was first.
 */
export async function drillConflicts(
  session: DrillSession,
  clients: number,
  writes: number,
): Promise<ConflictOutcome> {
  const { json } = await session.expect(201, "POST", "", { marker: "contended", count: 0 });
  const path = `/${String(memberOf(json, "id"))}`;
  let acknowledged = 0;
  let conflicts = 0;
  const run = async (): Promise<void> => {
    for (let done = 0; done < writes;) {
      const read = (await session.expect(200, "GET", path)).json;
      const count = Number(memberOf(memberOf(read, "data"), "count"));
      const version = Number(memberOf(read, "version"));
      const update = { version, data: { marker: "contended", count: count + 1 } };
      const { status, json: said } = await session.call("PUT", path, update);
      if (status === 200) {
        done += 1;
        acknowledged += 1;
      } else if (status === 409) {
        conflicts += 1;
        await Bun.sleep(Math.random() * clients);
      } else throw new Error(`an update was answered ${status} ${JSON.stringify(said)}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  const last = (await session.expect(200, "GET", path)).json;
  return {
    acknowledged,
    conflicts,
    version: Number(memberOf(last, "version")),
    count: Number(memberOf(memberOf(last, "data"), "count")),
  };
}
