import { basename } from "node:path";
import { followImport } from "#client/geo/dataset-imports.ts";
import type { Client, JsonObject } from "#client/index.ts";
import type { DatasetImport, GeoDataset } from "#contract/geo/datasets.ts";
import { fileSize } from "../../kit/files/files.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import type { WorkOutcome, WorkProgress } from "../../kit/state/work.ts";
import { sizeWords } from "../../kit/text/words.ts";
import { useForms } from "../../shell/forms/forms.ts";
import { useNotices } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import { importFields, importOptions, importOutcome, importQuery } from "./import-form.ts";

interface ImportOrder {
  readonly client: Client;
  readonly tenantId: string;
  readonly dataset: string;
  readonly path: string;
  readonly size: number;
  readonly data: JsonObject;
}

const readPart = { counted: "features read" };
/** The longest time that an import is followed; the platform goes on with a longer one. */
const followedMs = 2 * 60 * 60_000;

/** The features that were read; the number of all is reckoned from the part of the file. */
function progressOf({ counts, percentCompleted = 0 }: DatasetImport): WorkProgress {
  const done = counts?.read ?? 0;
  const total = percentCompleted > 0 ? Math.round((100 * done) / percentCompleted) : undefined;
  return { done, total, part: readPart };
}

/** Sends the file and follows its import; an abort also stops an import that has begun. */
async function runImport(
  { client, tenantId, dataset, path, size, data }: ImportOrder,
  report: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const file = Bun.file(path);
  const started = await client.geoDatasets.import({
    tenantId,
    params: { dataset },
    query: importQuery(data),
    content: { size, stream: () => file.stream() },
    onProgress: (done) => report({ done, total: size }),
    signal,
  });
  try {
    const state = await followImport(client.forTenant(tenantId), started, {
      endsAtMs: Date.now() + followedMs,
      onState: (now) => report(progressOf(now)),
      signal,
    });
    return importOutcome(state);
  } catch (error) {
    if (!signal.aborted) throw error;
    const params = { dataset, jobId: started.jobId };
    return importOutcome(await client.geoDatasets.cancelImport({ tenantId, params }));
  }
}

/** Asks for a file and the settings of its import, and shows how far it is. */
export function useDatasetImport(onEnd: () => void): (dataset: GeoDataset) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const forms = useForms();
  const notices = useNotices();
  const commands = useCommandLines();

  const openForm = async ({ dataset, features = 0 }: GeoDataset, path: string) => {
    const size = await fileSize(path);
    if (size === undefined) return notices.say("failed", `There is no file ${path}`);
    if (client === undefined || tenantId === undefined) return;
    const replaced =
      features === 0 ? "" : `, in place of ${features.toLocaleString("en")} features`;
    forms.open({
      title: `Import ${basename(path)} (${sizeWords(size)}) into ${dataset}${replaced}`,
      subject: { fields: importFields, data: initialData(importFields), check: () => [] },
      savesUnchanged: true,
      // The outcome has a dialog.
      save: async (data) => {
        const order = { client, tenantId, dataset, path, size, data };
        overlays.work({
          title: `Import ${basename(path)} into ${dataset}`,
          counted: "sent",
          wordsOf: sizeWords,
          stop: "stops the import; the dataset keeps its former features",
          run: (report, signal) => runImport(order, report, signal).finally(onEnd),
        });
        return await Promise.resolve(undefined);
      },
      command: (data) =>
        commands.inWorkspace(["geo", "import", dataset, path], importOptions(data)),
    });
  };

  return (dataset) =>
    overlays.show({
      kind: "file",
      title: `Import features into ${dataset.dataset}`,
      note: "GeoJSON, one feature a line, CSV, GPX or KML",
      onPick: (path) => void openForm(dataset, path).catch(notices.sayFailure),
    });
}
