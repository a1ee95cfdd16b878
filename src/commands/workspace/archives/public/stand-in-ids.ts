import { createHash } from "node:crypto";

const inArchive =
  /^(?:01[6-9a-f]|0[2-9a-f])[0-9a-f]{5}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** 2020-01-01: ids of records count from here. */
const firstMs = 1_577_836_800_001;
/** Four years, so that stand-in ids are before those of new records. */
const spanMs = 126_000_000_000;

/**
 * The id of a record in an archive: its own id if that is a UUID of version 7, else one that is
 * computed from it, the same for each export of the workspace.
 */
export function standInId(workspaceId: string, id: string): string {
  if (inArchive.test(id)) return id;
  const digest = createHash("sha256").update(`${workspaceId}\n${id}`).digest();
  const time = (firstMs + (digest.readUIntBE(0, 6) % spanMs)).toString(16).padStart(12, "0");
  const rest = digest.toString("hex", 8);
  const version = `7${rest.slice(0, 3)}`;
  const variant = `8${rest.slice(3, 6)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest.slice(6, 18)}`;
}
