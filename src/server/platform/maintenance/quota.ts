import { catalogError } from "#contract/errors.ts";
import { addOperatorEntry } from "../../domains/audit/service.ts";
import {
  putQuota,
  quotaById,
  quotas,
  slugsOf,
  usageOf,
  workspaceNamed,
  type Quota,
  type Usage,
} from "../../domains/quotas/store.ts";
import type { StorageLocation } from "../storage-location.ts";
import { withStoredWork } from "./stored-work.ts";

export interface ListedQuota {
  readonly workspaceId: string;
  readonly slug: string;
  readonly quota: Quota;
  readonly usage: Usage;
}

const reason = "quotas of workspaces";
const listedAtMost = 1_000;

/** `svc serve quota list`: the workspaces with a quota, and what they use. */
export async function listQuotas(location: StorageLocation): Promise<ListedQuota[]> {
  return withStoredWork(location, reason, async ({ read }) => {
    const known = await quotas(read, listedAtMost);
    const slugs = await slugsOf(read, [...known.keys()]);
    const listed: ListedQuota[] = [];
    for (const [workspaceId, quota] of known) {
      const slug = slugs.get(workspaceId) ?? "";
      listed.push({ workspaceId, slug, quota, usage: await usageOf(read, workspaceId) });
    }
    return listed;
  });
}

/** `svc serve quota set`: changes the given limits of a workspace, by its id or slug. */
export async function setQuota(
  location: StorageLocation,
  name: string,
  changes: Partial<Quota>,
): Promise<ListedQuota> {
  return withStoredWork(location, reason, async (work) => {
    const [found, other] = await workspaceNamed(work.read, name);
    if (found === undefined) throw catalogError("E202", { resource: `Workspace ${name}` });
    if (other !== undefined) {
      const details = `several workspaces have the slug ${name}`;
      throw catalogError("E305", { details }, { hint: "Give the workspace's ID" });
    }
    const before = await quotaById(work.read, found.id);
    const quota = { ...before, ...changes };
    const at = new Date();
    await work.write(async (tx) => {
      await putQuota(tx, found.id, quota);
      const facts = { before, after: quota };
      await addOperatorEntry(tx, "serve.quota", facts, { at, workspaceId: found.id });
    });
    const usage = await usageOf(work.read, found.id);
    return { workspaceId: found.id, slug: found.slug, quota, usage };
  });
}
