import type { StorageDiagnosis, StorageStatus } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";

export function useStorageStatus(): LiveAnswer<StorageStatus> {
  return useAnswer(
    ["storage.status"],
    (client, signal, tenantId) => client.storage.status({ params: { tenantId }, signal }),
    { shown: true },
  );
}

/** The storage doctor's findings. It reads all data, so it runs only on opening and refresh. */
export function useStorageDiagnosis(): LiveAnswer<StorageDiagnosis> {
  return useAnswer(["storage.doctor"], (client, signal, tenantId) =>
    client.storage.doctor({ params: { tenantId }, signal }),
  );
}
