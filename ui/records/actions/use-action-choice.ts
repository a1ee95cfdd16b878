import { useCommandLines } from "../../shell/use-copy.ts";
import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import { useForms } from "../../shell/forms/forms.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { useNotices } from "../../shell/notices.ts";
import { useReportedWork } from "../../shell/notices.ts";
import { useRecordClient } from "../use-resources.ts";
import { actionsOf, type RecordAction } from "./record-action.ts";
import { parameterFields } from "./form-fields-of-type.ts";
import { loadCheck } from "./use-record-forms.ts";
import { useRecordPicker } from "./use-record-picker.ts";

/** Asks for one of the type's actions and for its parameters, then executes it. */
export function useActionChoice(
  type: ObjectType,
  onChanged: () => void,
): (record: Resource) => void {
  const { tenantId = "" } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const forms = useForms();
  const role = useRole();
  const records = useRecordClient(type.slug);
  const pickRecord = useRecordPicker();
  const commands = useCommandLines();
  const run = useReportedWork(onChanged);

  const start = async (record: Resource, action: RecordAction) => {
    if (records === undefined) return;
    const { id, version } = record;
    const execute = async (parameters: JsonObject, idempotencyKey?: string) => {
      const options = { version, idempotencyKey };
      const changed = await records.execute(id, action.name, parameters, options);
      return `${action.words}: ${recordName(changed)} is version ${changed.version}`;
    };
    const [workspace, slug, record_, name] = [tenantId, type.slug, id, action.name].map(
      encodeURIComponent,
    );
    const path = `/v4/data/resources/${workspace}/${slug}/${record_}/actions/${name}`;
    const command = (parameters: JsonObject) =>
      commands.inWorkspace(["publicapi", "post", path], {
        data: JSON.stringify({ parameters, version }),
      });
    const title = `${action.words}: ${recordName(record)}`;
    const fields = parameterFields(action.parameters);
    if (fields.length === 0) {
      overlays.confirm({
        title,
        effects: [action.stateChange || `does “${action.name}” to it`],
        command: command({}),
        onConfirm: () => run(() => execute({})),
      });
      return;
    }
    const check = await loadCheck({ properties: action.parameters }, true);
    forms.open({
      title,
      subject: { fields, data: initialData(fields), check },
      pickRecord,
      // A refusal also refreshes: the next try is for the record's current version.
      save: (data, { idempotencyKey }) => execute(data, idempotencyKey).finally(onChanged),
      command,
    });
  };

  return (record) => {
    const actions = actionsOf(type, record, role);
    if (actions.length === 0) return say("note", `${type.slug} has no actions`);
    overlays.choose({
      title: `Choose an action for ${recordName(record)}`,
      placeholder: "an action",
      choices: actions.map((action) => ({
        id: action.name,
        words: action.words,
        note: action.stateChange,
        reason: action.reason,
        choose: () => void start(record, action).catch(sayFailure),
      })),
    });
  };
}
