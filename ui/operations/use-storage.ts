import type { StorageDiagnosis, StorageStatus } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";

const refreshMs = 30_000;

export function useStorageStatus(): LiveAnswer<StorageStatus> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["storage.status"],
    (client, signal) => client.storage.status({ params: { tenantId }, signal }),
    { refreshMs, enabled: tenantId !== undefined },
  );
}

/**
 * The storage doctor's findings. It reads records and files, so it runs only on opening and
 * refresh.
 */
export function useStorageDiagnosis(): LiveAnswer<StorageDiagnosis> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["storage.doctor"],
    (client, signal) => client.storage.doctor({ params: { tenantId }, signal }),
    { enabled: tenantId !== undefined },
  );
}
