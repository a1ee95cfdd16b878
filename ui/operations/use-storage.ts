import type { StorageDiagnosis, StorageStatus } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";

const refreshMs = 30_000;

/** Where the workspace's data are kept, and whether that answers. */
export function useStorageStatus(): LiveAnswer<StorageStatus> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["storage.status"],
    (client, signal) => client.storage.status({ params: { tenantId }, signal }),
    { refreshMs, enabled: tenantId !== undefined },
  );
}

/** What is wrong there. It reads records and files, so it is asked when looked at, and by refresh. */
export function useStorageDiagnosis(): LiveAnswer<StorageDiagnosis> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["storage.doctor"],
    (client, signal) => client.storage.doctor({ params: { tenantId }, signal }),
    { enabled: tenantId !== undefined },
  );
}
