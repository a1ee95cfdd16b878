import type { WebhookSource } from "#contract/events/webhook-sources.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useAct } from "../kit/places/action.ts";
import type { PlaceNow, PlaceTable } from "../kit/places/list-place.tsx";
import { useForms } from "../shell/forms/forms.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useRouter } from "../shell/router.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import { useSecret } from "../shell/overlays/use-secret.ts";
import { sourceRotation } from "./actions.ts";
import {
  sourceChanges,
  sourceCreation,
  sourceData,
  sourceFaults,
  sourceFields,
  sourceOptions,
} from "./source-form.ts";
import { useGrace } from "./use-grace.ts";
import { useMappingTrial } from "./use-mapping-trial.ts";
import { sourceName } from "./words.ts";

type SourceNow = PlaceNow<WebhookSource, PlaceTable<WebhookSource>>;

/** Returns functions that create and change sources by a form. */
function useSourceForms({ list }: PlaceTable<WebhookSource>) {
  const { client, tenantId } = usePlatform();
  const forms = useForms();
  const commands = useCommandLines();
  const showSecret = useSecret();

  const create = (): void => {
    if (client === undefined) return;
    const fields = sourceFields(true);
    forms.open({
      title: "Create a source of calls from outside",
      subject: { fields, data: initialData(fields), check: sourceFaults },
      save: async (data, { idempotencyKey }) => {
        const body = sourceCreation(data);
        const made = await client.webhookSources.create({ tenantId, body, idempotencyKey });
        list.reveal(made.source);
        const use = `the sender signs with it, and calls ${made.url ?? made.source}`;
        showSecret({ name: body.name, secret: made.secret, use, note: made.note });
        return undefined;
      },
      command: (data) =>
        commands.inWorkspace(
          ["webhook", "source", "create", sourceCreation(data).name],
          sourceOptions(data),
        ),
    });
  };

  const edit = (source: WebhookSource): void => {
    if (client === undefined) return;
    const before = sourceData(source);
    forms.open({
      title: `Change ${sourceName(source)}`,
      subject: { fields: sourceFields(false), data: before, check: sourceFaults },
      save: async (data) => {
        const body = sourceChanges(before, data);
        const params = { source: source.source };
        const changed = await client.webhookSources.update({ tenantId, params, body });
        list.refresh();
        return `changed ${sourceName(changed)}`;
      },
      command: (data) =>
        commands.inWorkspace(
          ["webhook", "source", "update", source.source],
          sourceOptions(data, before),
        ),
    });
  };
  return { create, edit };
}

export function useSourceHandlers({ table, opened }: SourceNow) {
  const { go } = useRouter();
  const act = useAct();
  const chooseGrace = useGrace();
  const showSecret = useSecret();
  const tryMapping = useMappingTrial();
  const { create, edit } = useSourceForms(table);

  const rotate = (source: WebhookSource): void =>
    chooseGrace(sourceName(source), (graceDays) =>
      act(sourceRotation, { of: source, graceDays }, (answer) => {
        table.list.refresh();
        if (answer === undefined) return;
        const { secret, note } = answer;
        showSecret({ name: sourceName(source), secret, use: "the sender signs with it", note });
      }),
    );

  return {
    createSource: create,
    editSource: opened.act(edit),
    rotateSource: opened.act(rotate),
    received: opened.act((source) => {
      const { source: id, mapping } = source;
      go({ place: "webhooks", source: { id, name: sourceName(source), mapping } });
    }),
    tryMapping: opened.act((source) => {
      const { source: id, mapping } = source;
      tryMapping({ source: id, name: sourceName(source), mapping });
    }),
  };
}
