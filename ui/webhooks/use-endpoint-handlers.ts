import type { WebhookEndpoint } from "#contract/events/webhooks.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useAct } from "../kit/places/action.ts";
import type { PlaceNow, PlaceTable } from "../kit/places/list-place.tsx";
import { useForms } from "../shell/forms/forms.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useRouter } from "../shell/router.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import { useSecret } from "../shell/overlays/use-secret.ts";
import { endpointRotation } from "./actions.ts";
import {
  creationOptions,
  endpointChanges,
  endpointCreation,
  endpointData,
  endpointFaults,
  endpointFields,
  endpointOptions,
  type NamedRule,
} from "./endpoint-form.ts";
import { useGrace } from "./use-grace.ts";
import { endpointName } from "./words.ts";

const use = "the receiver verifies with it";

type EndpointNow = PlaceNow<WebhookEndpoint, PlaceTable<WebhookEndpoint>>;

/** The alert rules for a role: alerts to a person are sent to no endpoint. */
function useRulesOfRoles(): NamedRule[] {
  const { value } = useAnswer(["alerts.listRules", "for roles"], (client, signal, tenantId) =>
    client.alerts.listRules({ tenantId, signal, query: { limit: 500 } }),
  );
  const items = value?.items ?? [];
  return items.flatMap(({ id, name = id, role }) => (role ? [{ id, name }] : []));
}

/** Returns functions that create and change endpoints by a form. */
function useEndpointForms({ list }: PlaceTable<WebhookEndpoint>) {
  const { client, tenantId } = usePlatform();
  const { value: types = [] } = useObjectTypes();
  const forms = useForms();
  const commands = useCommandLines();
  const showSecret = useSecret();
  const rules = useRulesOfRoles();
  const fields = endpointFields(
    types.map(({ slug }) => slug),
    rules,
  );

  const create = (): void => {
    if (client === undefined) return;
    forms.open({
      title: "Create a webhook endpoint",
      subject: { fields, data: initialData(fields), check: endpointFaults },
      save: async (data, { idempotencyKey }) => {
        const body = endpointCreation(data);
        const made = await client.webhooks.create({ tenantId, body, idempotencyKey });
        list.reveal(made.id);
        showSecret({ name: endpointName(made), secret: made.secret, use, note: made.note });
        return undefined;
      },
      command: (data) =>
        commands.inWorkspace(
          ["webhook", "create", endpointCreation(data).url],
          creationOptions(data),
        ),
    });
  };

  const edit = (endpoint: WebhookEndpoint): void => {
    if (client === undefined) return;
    const before = endpointData(endpoint);
    const params = { endpointId: endpoint.id };
    forms.open({
      title: `Change ${endpointName(endpoint)}`,
      subject: { fields, data: before, check: endpointFaults },
      save: async (data) => {
        const body = endpointChanges(before, data);
        const changed = await client.webhooks.update({ tenantId, params, body });
        list.refresh();
        return `changed ${endpointName(changed)}`;
      },
      command: (data) => {
        const changes = endpointChanges(before, data);
        const options = endpointOptions(changes);
        if (options === undefined) return undefined;
        return commands.inWorkspace(["webhook", "update", endpoint.id], {
          url: changes.url,
          ...options,
        });
      },
    });
  };
  return { create, edit };
}

export function useEndpointHandlers({ table, opened }: EndpointNow) {
  const { go } = useRouter();
  const act = useAct();
  const chooseGrace = useGrace();
  const showSecret = useSecret();
  const { create, edit } = useEndpointForms(table);

  const rotate = (endpoint: WebhookEndpoint): void =>
    chooseGrace(endpointName(endpoint), (graceDays) =>
      act(endpointRotation, { of: endpoint, graceDays }, (answer) => {
        table.list.refresh();
        if (answer === undefined) return;
        const { secret, note } = answer;
        showSecret({ name: endpointName(endpoint), secret, use, note });
      }),
    );

  return {
    createEndpoint: create,
    editEndpoint: opened.act(edit),
    rotateEndpoint: opened.act(rotate),
    deliveries: opened.act((endpoint) => {
      const { id } = endpoint;
      go({ place: "webhooks", endpoint: { id, name: endpointName(endpoint) } });
    }),
  };
}
