import type { Membership, Client } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import type { Action } from "../kit/places/action.ts";

const slugOf = ({ slug }: Membership) => slug;

/** Deletes a workspace with a way back, after the user has typed the slug. */
export const workspaceDeletion: Action<Membership> = {
  question: {
    title: ({ slug }) => `Delete the workspace ${slug}`,
    effects: () => [
      "members, records, documents and chats answer as not found",
      "it can be restored until its deadline, then it is purged",
    ],
    platformCommand: ({ id }) => [["workspace", "delete", id], { force: true }],
    typed: slugOf,
  },
  run: (client, { id }) => client.workspaceRemoval.delete({ params: { tenantId: id }, body: {} }),
  done: ({ slug }) => `deleted ${slug}; it can be restored`,
};

interface Family {
  readonly child: Membership;
  readonly parent: Membership;
}

/** Purges a child as its parent's admin, after the user has typed the slug. */
export const workspacePurge: Action<
  Family,
  Awaited<ReturnType<Client["workspaceRemoval"]["purgeChild"]>>
> = {
  question: {
    title: ({ child }) => `Purge the workspace ${child.slug}`,
    effects: () => [
      "its members, Object Types, records, documents, files, jobs and chats",
      "this can't be undone",
    ],
    platformCommand: ({ child, parent }) => [
      ["workspace", "delete", child.id],
      { parent: parent.id, "force-hard-purge": true },
    ],
    typed: ({ child }) => child.slug,
  },
  run: (client, { child, parent }) => {
    const params = { parentId: parent.id, childId: child.id };
    return client.workspaceRemoval.purgeChild({ params });
  },
  done: ({ child }, { removed }) => {
    const { records = 0, documents = 0 } = removed ?? {};
    return `purged ${child.slug}: ${counted(records, "record")}, ${counted(documents, "document")}`;
  },
};

export const workspaceRestoration: Action<Membership> = {
  run: (client, { id }) => client.workspaceRemoval.restore({ params: { tenantId: id } }),
  done: ({ slug }) => `restored ${slug}`,
};
