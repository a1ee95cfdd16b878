import type { CreatedKey, ServiceKey } from "#contract/keys.ts";
import type { Client } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useCommandLines } from "../shell/platform/use-command-lines.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCopy } from "../shell/use-copy.ts";
import { useNotices } from "../shell/notices.ts";
import { useRoleChoice } from "./use-role-choice.ts";

const keyOf = ({ keyId }: ServiceKey) => keyId;
const dayMs = 24 * 60 * 60 * 1000;
const maximumName = 100;

/** How long a new key can live. */
const lives = [
  { id: "30", words: "30 days", note: undefined },
  { id: "90", words: "90 days", note: "for most scripts" },
  { id: "365", words: "a year", note: undefined },
  { id: "0", words: "no end", note: "until it is revoked" },
] as const;

/** The API keys of the workspace, the newest first. */
export function useApiKeys(height: number): LiveList<ServiceKey> {
  return useList<ServiceKey>(
    ["keys.list"],
    (client, { page, cursor, limit, count, signal }, tenantId) =>
      client.keys.list({
        tenantId,
        signal,
        query: { page, cursor, limit, ...(count ? { count } : {}) },
      }),
    { keyOf, height },
  );
}

export function apiKeyName({ name, keyId }: ServiceKey): string {
  return name ?? keyId;
}

/** The actions on API keys. Each names its command, and refreshes the list when done. */
export function useApiKeyActions(onChanged: () => void) {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const commands = useCommandLines();
  const copy = useCopy();
  const chooseRole = useRoleChoice();

  const run = <Answer>(
    work: (open: Client) => Promise<Answer>,
    onAnswer: (done: Answer) => void,
  ): void => {
    if (client === undefined) return;
    work(client).then((answer) => {
      onAnswer(answer);
      onChanged();
    }, sayFailure);
  };

  const showToken = ({ key, token, note }: CreatedKey): void => {
    if (token === undefined) return say("note", note ?? `created the key ${apiKeyName(key)}`);
    overlays.confirm({
      title: `Copy the token of ${apiKeyName(key)}`,
      effects: ["The token is shown this once: keep it where the script reads SVC_TOKEN", token],
      onConfirm: () => copy(token, `the token of ${apiKeyName(key)}`),
    });
  };

  const create = (): void =>
    overlays.ask({
      title: "Create an API key",
      words: "The name of the script or service that uses it",
      initial: "",
      placeholder: "nightly import",
      problemOf: (text) =>
        text.length <= maximumName ? undefined : `at most ${maximumName} characters`,
      onAnswer: (name) =>
        chooseRole(`The role of ${name}`, ({ id: roleDefinitionId }) =>
          overlays.choose({
            title: `The life of ${name}`,
            placeholder: "how long it can be used",
            choices: lives.map(({ id, words, note }) => ({
              id,
              words,
              note,
              choose: () => {
                const end = new Date(Date.now() + Number(id) * dayMs).toISOString();
                const body = { name, roleDefinitionId, ...(id === "0" ? {} : { expiresAt: end }) };
                run((open) => open.keys.create({ tenantId, body }), showToken);
              },
            })),
          }),
        ),
    });

  const changeRole = (key: ServiceKey): void =>
    chooseRole(`The role of ${apiKeyName(key)}`, ({ id, key: role }) =>
      run(
        (open) =>
          open.keys.setRole({
            tenantId,
            params: { keyId: key.keyId },
            body: { roleDefinitionId: id },
          }),
        () => say("done", `${apiKeyName(key)} is now ${role}`),
      ),
    );

  const revoke = (key: ServiceKey): void => {
    const { keyId, homeTenantId } = key;
    const isHere = homeTenantId === undefined || homeTenantId === tenantId;
    overlays.confirm({
      title: `Revoke the key ${apiKeyName(key)}`,
      effects: [
        isHere
          ? "its access to every workspace, at once and for good"
          : "its access to this workspace, at once; another workspace owns it",
      ],
      command: commands.inWorkspace(["key", "revoke", keyId], { force: true }),
      onConfirm: () =>
        run(
          (open) => open.keys.revoke({ tenantId, params: { keyId } }),
          ({ status }) =>
            say(
              "done",
              status === "removed"
                ? `${apiKeyName(key)} has no access here`
                : `revoked ${apiKeyName(key)}`,
            ),
        ),
    });
  };

  return { create, changeRole, revoke };
}
