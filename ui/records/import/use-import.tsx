import type { ObjectType } from "#client/index.ts";
import { countWords } from "../../kit/text/words.ts";
import { useForms, type FormRequest } from "../../shell/forms/forms.ts";
import { useHost } from "../../shell/host.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import type { ImportOutcome, OpenedImport } from "../../surface.ts";
import {
  importData,
  importFaults,
  importFields,
  importOptions,
  importSettings,
} from "./import-fields.ts";
import { ImportPreview } from "./import-preview.tsx";

/** The outcome as text, the counts first. */
export function outcomeLines({ created, updated, earlier, rejected, reasons }: ImportOutcome) {
  const parts = [
    `${countWords(created)} created`,
    `${countWords(updated)} changed`,
    ...(earlier > 0 ? [`${countWords(earlier)} written before`] : []),
    ...(rejected > 0 ? [`${countWords(rejected)} rejected`] : []),
  ];
  const more = rejected > reasons.length ? [`and ${rejected - reasons.length} more`] : [];
  return [parts.join(", "), ...reasons, ...(reasons.length > 0 ? more : [])];
}

/** Asks for a file and opens its form; undefined where files cannot be imported. */
export function useImport(type: ObjectType, onImported: () => void): (() => void) | undefined {
  const { openImport } = useHost();
  const { client: ofSession, tenantId } = usePlatform();
  const overlays = useOverlays();
  const forms = useForms();
  const commands = useCommandLines();
  if (openImport === undefined || ofSession === undefined || tenantId === undefined) {
    return undefined;
  }
  const client = ofSession.forTenant(tenantId);

  const write = (opened: OpenedImport, settings: ReturnType<typeof importSettings>) =>
    overlays.work({
      title: `Import ${opened.name} into ${type.slug}`,
      counted: "rows read",
      stop: "stops after this request; the same import continues later",
      run: async (report, signal) => {
        try {
          const sent = (done: number) => report({ done, total: undefined });
          const outcome = await opened.run(settings, sent, signal);
          const lines = outcomeLines(outcome);
          return { good: outcome.rejected === 0, lines };
        } finally {
          onImported();
        }
      },
    });

  const formOf = (opened: OpenedImport, path: string): FormRequest => {
    const { columns, name } = opened;
    return {
      title: `Import ${name} into ${type.slug}`,
      subject: {
        fields: importFields(columns, type),
        data: importData(columns),
        check: (data) => importFaults(columns, data),
      },
      savesUnchanged: true,
      // The outcome has a dialog.
      save: async (data) => {
        write(opened, importSettings(columns, data));
        return await Promise.resolve(undefined);
      },
      command: (data) =>
        commands.inWorkspace(
          ["resources", "import", type.slug, path],
          importOptions(columns, data),
        ),
      Below: (props) => <ImportPreview opened={opened} {...props} />,
    };
  };

  const open = (path: string) =>
    overlays.wait({
      title: `Import into ${type.slug}`,
      words: "reading the file",
      ask: async (signal) => {
        const opened = await openImport({ client, type, path, signal });
        return () => forms.open(formOf(opened, path));
      },
    });
  return () =>
    overlays.show({ kind: "file", title: `Import a file into ${type.slug}`, onPick: open });
}
