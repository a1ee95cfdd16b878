import type { ChangeEvent, ChangeKind } from "#server/work/change-event.ts";
import type { Write } from "./caller-writes.ts";

/** The kind of the event that each route of `caller-writes.ts` leaves in the feed. */
const kindOfEvent: Readonly<Record<string, ChangeKind>> = {
  "resources.create": "record",
  "resources.update": "record",
  "resources.patch": "record",
  "resources.upsert": "record",
  "resources.executeAction": "record",
  "resources.uploadFile": "file",
  "resources.deleteFile": "file",
  "resources.restore": "record",
  "resources.delete": "record",
  "resources.batch": "record",
  "resources.batchCreate": "record",
  "resources.batchUpdate": "record",
  "resources.batchDelete": "record",
  "imports.rows": "record",
  "identity.updateProfile": "user",
  "members.invite": "member",
  "members.revokeInvitation": "member",
  "members.setRole": "member",
  "members.disable": "member",
  "members.enable": "member",
  "members.remove": "member",
  "members.createRole": "role",
  "alerts.createRule": "setting",
  "alerts.updateRule": "setting",
  "alerts.removeRule": "setting",
  "alerts.updateChannels": "setting",
  "members.updateRole": "role",
  "members.deleteRole": "role",
  "keys.create": "key",
  "keys.setRole": "key",
  "keys.revoke": "key",
  "groupRules.set": "role",
  "groupRules.delete": "role",
  "objectTypes.create": "object-type",
  "objectTypes.update": "object-type",
  "objectTypes.batch": "object-type",
  "apps.create": "app",
  "apps.provision": "job",
  "workspaces.createChild": "workspace",
  "workspaces.bootstrapAdmin": "member",
  "workspaces.update": "workspace",
  "workspaceRemoval.delete": "workspace",
  "workspaceRemoval.restore": "workspace",
  "workflows.request": "workflow",
  "documents.upload": "document",
  "documents.delete": "document",
  "documents.restore": "document",
  "chat.send": "conversation",
  "chat.rename": "conversation",
  "chat.deleteConversation": "conversation",
  ...Object.fromEntries(
    ["create", "update", "rotate", "enable", "remove"].map((name) => [
      `webhooks.${name}`,
      "setting" as const,
    ]),
  ),
  "webhookSources.create": "key",
  "webhookSources.remove": "key",
  "idpApps.provision": "setting",
  "idpApps.rotateSecret": "setting",
  "idpApps.remove": "setting",
  "classifiers.put": "setting",
  "classifiers.addExamples": "setting",
  "classifiers.removeExample": "setting",
  "classifiers.delete": "setting",
  "documentTypes.putAnalyzer": "setting",
  "documentTypes.put": "setting",
  "documentTypes.delete": "setting",
  "documentTypes.deleteAnalyzer": "setting",
};

/** Routes without an event, each with the reason. */
const withoutEvent: Readonly<Record<string, string>> = {
  "members.provisionUser": "the colleague is a member already, so that it changes nothing",
  "storage.provision": "the types of this workspace are complete, so that it changes nothing",
  "storage.syncSchema": "the types of this workspace are complete, so that it changes nothing",
  "imports.start": "an import is of its caller, and readers of the feed follow its records",
  "webhookSources.update": "a source is read at each call",
  "webhookSources.rotate": "a source is read at each call",
  ...Object.fromEntries(
    ["test", "replay", "pull"].map((name) => [
      `webhooks.${name}`,
      "a delivery is for admins, and readers of the feed do not follow it",
    ]),
  ),
};

/**
 * Routes whose write has no event in the feed, or one of another kind, workspace, actor or subject,
 * each with one such write.
 */
export function faultsOfEvents(
  writes: readonly Write[],
  events: readonly ChangeEvent[],
): readonly object[] {
  const byRequest = Map.groupBy(events, ({ request }) => request);
  const faults = writes.map(({ route, requestId, actor, log, subject }) => {
    const kind = kindOfEvent[route];
    const own = byRequest.get(requestId) ?? [];
    const isWanted = (event: ChangeEvent): boolean =>
      event.kind === kind &&
      [log === "" ? "*" : log, "*"].includes(event.workspaceId) &&
      event.actor === actor &&
      (subject === undefined || event.subject === subject);
    const isRight = kind === undefined ? route in withoutEvent : own.some(isWanted);
    return { route, isRight, requestId, wanted: { kind, log, subject }, own };
  });
  const wrong = Map.groupBy(
    faults.filter(({ isRight }) => !isRight),
    ({ route }) => route,
  );
  return [...wrong.values()].flatMap((same) => same.slice(0, 1));
}
