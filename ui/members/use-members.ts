import type { Client, Invitation, Invited, Member, RoleDefinition } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import { inviteConfirmed } from "#client/confirmed-invitation.ts";
import { keyChoices, type KeyChoice } from "#contract/access/key-choices.ts";
import type { CreatedKey, ServiceKey } from "#contract/access/keys.ts";
import { keepsPermissions } from "#contract/access/roles.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import type { Choice } from "../kit/dialogs/questions.ts";
import type { OpenedRow } from "../kit/lists/use-opened-row.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useAct } from "../kit/places/action.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useCopy } from "../shell/use-copy.ts";
import {
  apiKeyName,
  apiKeyRole,
  memberName,
  memberRemoval,
  memberRole,
  passwordReset,
} from "./actions.ts";

interface Now<Row> {
  readonly table: { readonly list: LiveList<Row> };
  readonly opened: OpenedRow<Row>;
}

const addressPattern = /^[^\s@"<>()]+@[^\s@"<>()]+$/;
const dayMs = 24 * 60 * 60 * 1000;
const maximumName = 100;

/** How long a new key can live. */
const lives = [
  { id: "30", words: "30 days", note: undefined },
  { id: "90", words: "90 days", note: "for most scripts" },
  { id: "365", words: "a year", note: undefined },
  { id: "0", words: "no end", note: "until it is revoked" },
] as const;

/** Returns a function that lets the user choose one of the workspace's roles. */
function useRoleChoice(): (
  title: string,
  onRole: (role: RoleDefinition) => void,
  current?: { readonly role?: string | undefined; readonly roleName?: string | undefined },
) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  return (title, onRole, current) => {
    if (client === undefined) return;
    overlays.wait({
      title,
      words: "Loading the roles",
      ask: async (signal) => {
        const { items } = await client.members.roleDefinitions({ tenantId, signal });
        const choices: Choice[] = items.map((role) => ({
          id: role.id,
          words: role.key,
          note: role.description ?? role.displayName,
          isCurrent: role.key === (current?.roleName ?? current?.role),
          choose: () => onRole(role),
        }));
        return () => overlays.choose({ title, placeholder: "a role", choices });
      },
    });
  };
}

/** Returns a function that invites a person; without mail the link is shown once. */
function useInviting(onChanged: () => void): () => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const copy = useCopy();
  const chooseRole = useRoleChoice();

  const showInvited = ({ member, link, secret, note }: Invited): void => {
    onChanged();
    const who = memberName(member);
    if (secret === undefined) {
      say(note === undefined ? "done" : "failed", note ?? `invited ${who} by mail`);
      return;
    }
    overlays.confirm({
      title: `Copy the invitation of ${who}`,
      effects: [
        "The link is shown this once: pass it on to the invited person",
        link ?? `svc user accept ${secret}`,
      ],
      onConfirm: () => copy(link ?? secret),
    });
  };

  const send = (email: string, roleDefinitionId: string): void => {
    if (client === undefined) return;
    const body = { email, roleDefinitionId };
    void inviteConfirmed(client, { tenantId, body }).then((invited) => {
      if (invited.member.status === "invited") return showInvited(invited);
      say("done", `${email} is a member already, now with this role`);
      onChanged();
    }, sayFailure);
  };

  /** Asks before a member loses permissions. */
  const invite = (email: string, { id, key }: RoleDefinition): void => {
    client?.members.byEmail({ tenantId, query: { email } }).then(
      (member) => {
        if (keepsPermissions(member, { roleDefinitionId: id })) return send(email, id);
        const held = member.roleName ?? member.role ?? "another role";
        overlays.confirm({
          title: `Change the role of ${email}`,
          effects: [`Is a member as ${held}, and becomes ${key}`],
          onConfirm: () => send(email, id),
        });
      },
      (failure: unknown) => {
        if (failure instanceof CatalogError && failure.code === "E202") send(email, id);
        else sayFailure(failure);
      },
    );
  };

  return () =>
    overlays.ask({
      title: "Invite a person",
      words: "The e-mail address",
      initial: "",
      placeholder: "name@example.org",
      problemOf: (text) =>
        addressPattern.test(text.trim()) ? undefined : "this is not an e-mail address",
      onAnswer: (text) => {
        const email = text.trim();
        chooseRole(`The role of ${email}`, (role) => invite(email, role));
      },
    });
}

/** Returns a function that creates an API key, whose token is shown once. */
function useKeyCreation(onChanged: () => void): () => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const copy = useCopy();
  const chooseRole = useRoleChoice();

  const showToken = ({ key, token, note }: CreatedKey): void => {
    onChanged();
    if (token === undefined) return say("note", note ?? `created the key ${apiKeyName(key)}`);
    overlays.confirm({
      title: `Copy the token of ${apiKeyName(key)}`,
      effects: ["The token is shown this once: keep it where the script reads SVC_TOKEN", token],
      onConfirm: () => copy(token, `the token of ${apiKeyName(key)}`),
    });
  };

  const create = (name: string, { id: roleDefinitionId }: RoleDefinition, days: number): void => {
    const end = new Date(Date.now() + days * dayMs).toISOString();
    const body = { name, roleDefinitionId, ...given({ expiresAt: days === 0 ? undefined : end }) };
    client?.keys.create({ tenantId, body }).then(showToken, sayFailure);
  };

  return () =>
    overlays.ask({
      title: "Create an API key",
      words: "The name of the script or service that uses it",
      initial: "",
      placeholder: "nightly import",
      problemOf: (text) =>
        text.length <= maximumName ? undefined : `at most ${maximumName} characters`,
      onAnswer: (name) =>
        chooseRole(`The role of ${name}`, (role) =>
          overlays.choose({
            title: `The life of ${name}`,
            placeholder: "how long it can be used",
            choices: lives.map(({ id, words, note }) => ({
              id,
              words,
              note,
              choose: () => create(name, role, Number(id)),
            })),
          }),
        ),
    });
}

/** Returns a function that removes a member, after a choice about the API keys of the member. */
function useRemoval(onRemoved: () => void): (member: Member) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const act = useAct();
  return (member) => {
    if (client === undefined) return;
    const title = `Remove ${memberName(member)}`;
    const remove = (made: readonly ServiceKey[], keys: KeyChoice) =>
      act(memberRemoval, { member, made, keys }, onRemoved);
    overlays.wait({
      title,
      words: "Loading the API keys of the member",
      ask: async (signal) => {
        const made = await madeKeys(client, { member, tenantId, signal });
        if (made.length === 0) return () => remove(made, "revoke");
        const choices = keyChoices.map((keys) => ({
          id: keys,
          words: `${keys} ${counted(made.length, "API key")}`,
          note: made.map(apiKeyName).join(", "),
          choose: () => remove(made, keys),
        }));
        return () => overlays.choose({ title, placeholder: "revoke or keep", choices });
      },
    });
  };
}

/** The working API keys of a member; none where the platform has no keys. */
async function madeKeys(
  client: Client,
  { member: { oid }, tenantId, signal }: KeyQuestion,
): Promise<ServiceKey[]> {
  if (oid === undefined) return [];
  try {
    const query = { createdBy: oid, limit: 500 };
    const { items } = await client.keys.list({ tenantId, signal, query });
    // A deployment may ignore `createdBy`, and list all its keys.
    return items.filter((key) => key.created_by === oid && key.status === "active");
  } catch (error) {
    const status = error instanceof CatalogError ? error.status : undefined;
    if (status === undefined || ![404, 405, 501].includes(status)) throw error;
    return [];
  }
}

interface KeyQuestion {
  readonly member: Member;
  readonly tenantId: string | undefined;
  readonly signal: AbortSignal;
}

/** Returns a function that replaces the password of a member; the one-time one is shown once. */
function usePasswordReset(): (member: Member) => void {
  const overlays = useOverlays();
  const { say } = useNotices();
  const copy = useCopy();
  const act = useAct();
  return (member) => {
    const name = memberName(member);
    const { oid } = member;
    if (oid === undefined) return say("failed", `this platform names no account of ${name}`);
    act(passwordReset, { ...member, oid }, (receipt) => {
      const { oneTimePassword: password, expiresAt } = receipt ?? {};
      if (password === undefined) return;
      overlays.confirm({
        title: `Copy the one-time password of ${name}`,
        effects: [
          "It is shown this once: pass it on yourself",
          ...(expiresAt === undefined ? [] : [`It is valid until ${expiresAt}`]),
          password,
        ],
        onConfirm: () => copy(password, `the one-time password of ${name}`),
      });
    });
  };
}

export function useMemberHandlers({ table, opened }: Now<Member>) {
  const { refresh } = table.list;
  const chooseRole = useRoleChoice();
  const act = useAct();
  return {
    invite: useInviting(refresh),
    removeMember: opened.act(useRemoval(refresh)),
    resetPassword: opened.act(usePasswordReset()),
    changeRole: opened.act((member) =>
      chooseRole(
        `The role of ${memberName(member)}`,
        (role) => act(memberRole, { member, role }, refresh),
        member,
      ),
    ),
  };
}

export function useInvitationHandlers({ table }: Now<Invitation>) {
  return { invite: useInviting(table.list.refresh) };
}

export function useApiKeyHandlers({ table, opened }: Now<ServiceKey>) {
  const { refresh } = table.list;
  const chooseRole = useRoleChoice();
  const act = useAct();
  return {
    createKey: useKeyCreation(refresh),
    changeKeyRole: opened.act((key) =>
      chooseRole(
        `The role of ${apiKeyName(key)}`,
        (role) => act(apiKeyRole, { key, role }, refresh),
        key,
      ),
    ),
  };
}

export function useMemberCount(): number | undefined {
  const { value } = useAnswer(
    ["members.count"],
    async (client, signal, tenantId) => {
      const query = { limit: 1, count: true };
      return (await client.members.list({ tenantId, query, signal })).total ?? null;
    },
    { shown: true },
  );
  return value ?? undefined;
}
