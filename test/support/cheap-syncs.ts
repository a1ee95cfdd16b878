import { open } from "node:fs/promises";
import { devNull } from "node:os";

/**
 * Files of this process are not synced: the databases of tests are in memory, and each wait for
 * the thread that syncs costs as much as the statements of a small commit. Tests of durability
 * watch programs of their own, which sync.
 */
const file = await open(devNull, "r");
Object.assign(Object.getPrototypeOf(file) as object, { datasync: () => Promise.resolve() });
await file.close();
