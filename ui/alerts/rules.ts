import type { AlertRule } from "#contract/events/alerts.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import { listPlace, type PlaceNow, type PlaceTable } from "../kit/places/list-place.tsx";
import { useForms } from "../shell/forms/forms.ts";
import { memberNamesPart } from "../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../shell/platform/names.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import { ruleName, ruleRemoval, ruleToggle } from "./actions.ts";
import { alertKeys, type AlertKeys } from "./keys.ts";
import {
  ruleChanges,
  ruleCreation,
  ruleData,
  ruleFaults,
  ruleFields,
  ruleOptions,
} from "./rule-form.ts";
import { recipientWords, ruleLines, ruleState, ruleSubject } from "./words.ts";

const keyOf = ({ id }: AlertRule) => id;
const isActive = (rule: AlertRule) => ruleState(rule) === "active";

function useRuleHandlers({ table, opened }: PlaceNow<AlertRule, PlaceTable<AlertRule>>) {
  const { list } = table;
  const { client, tenantId } = usePlatform();
  const { value = [] } = useObjectTypes();
  const forms = useForms();
  const commands = useCommandLines();
  const types = value.map(({ slug }) => slug);

  const create = (): void => {
    if (client === undefined) return;
    const fields = ruleFields(types, undefined);
    forms.open({
      title: "Create an alert rule",
      subject: { fields, data: initialData(fields), check: ruleFaults },
      save: async (data, { idempotencyKey }) => {
        const body = ruleCreation(data);
        const { id } = await client.alerts.createRule({ tenantId, body, idempotencyKey });
        list.reveal(id);
        return `created the rule ${body.name}`;
      },
      command: (data) => {
        const { name, kind, ...settings } = ruleCreation(data);
        const options = { kind, ...ruleOptions(settings) };
        return commands.inWorkspace(["alert", "rule", "create", name], options);
      },
    });
  };

  const edit = (rule: AlertRule): void => {
    if (client === undefined) return;
    const before = ruleData(rule);
    forms.open({
      title: `Change the rule ${ruleName(rule)}`,
      subject: { fields: ruleFields(types, rule), data: before, check: ruleFaults },
      save: async (data) => {
        const body = ruleChanges(before, data);
        await client.alerts.updateRule({ tenantId, params: { alertRuleId: rule.id }, body });
        list.refresh();
        return `changed the rule ${body.name ?? ruleName(rule)}`;
      },
      command: (data) =>
        commands.inWorkspace(
          ["alert", "rule", "update", rule.id],
          ruleOptions(ruleChanges(before, data)),
        ),
    });
  };

  return { createRule: create, editRule: opened.act(edit) };
}

/** The names of the members that a rule names. */
function useNamesOf(row: AlertRule | undefined) {
  const nameOf = useNames(memberNamesPart, [row?.userId, row?.created_by]);
  return { value: nameOf, failure: undefined };
}

/** The rules that raise alerts: the user's, or all for those who may see them. */
export const Rules = listPlace<AlertRule, AlertKeys>({
  name: "alert rules",
  title: "Alert rules",
  loading: "Loading the alert rules",
  list: {
    question: "alerts.listRules",
    keyOf,
    ask: (client, { tenantId, signal, query }) =>
      client.alerts.listRules({ tenantId, signal, query }),
  },
  columns: [
    { id: "name", title: "name", value: ruleName, priority: 0, pinned: true, minimum: 16 },
    {
      id: "state",
      title: "state",
      value: (rule) => `${isActive(rule) ? "●" : "‖"} ${ruleState(rule)}`,
      token: (rule) => (isActive(rule) ? "good" : "warn"),
      priority: 2,
      minimum: 8,
    },
    { id: "kind", title: "kind", value: ({ kind }) => kind ?? "", priority: 1, minimum: 8 },
    {
      id: "for",
      title: "for",
      value: (rule) => recipientWords(rule, () => "one member"),
      priority: 3,
    },
    { id: "watches", title: "watches", value: ruleSubject, priority: 4, maximum: 60 },
  ],
  actions: { toggleRule: ruleToggle, deleteRule: ruleRemoval },
  useHandlers: useRuleHandlers,
  copied: keyOf,
  command: (row) =>
    row === undefined ? [["alert", "rule", "list"]] : [["alert", "rule", "show", row.id]],
  missing: { words: "This platform has no alert rules." },
  empty: {
    words: "No rule raises alerts for you.",
    offer: [alertKeys.createRule, "creates one"],
  },
  Detail: lineDetail<AlertRule, NameOf>({
    kind: "rule",
    title: ruleName,
    keyOf,
    useFurther: useNamesOf,
    lines: (rule, { value, ...area }) => ruleLines(rule, area, value),
  }),
});
