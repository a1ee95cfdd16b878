import type { conversationDetail, Conversation as ConversationBody } from "#contract/chat.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type * as z from "zod";
import { conversationById, conversationPage, countConversations, messagesBefore } from "./store.ts";
import type { Database } from "../../database/database.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";
import { chatMessageOf, conversationOf } from "./wire.ts";

export type ConversationDetail = z.output<typeof conversationDetail>;

const defaultMessages = 100;

export class Conversations {
  constructor(private readonly options: { database: Database; cursors: ListCursors }) {}

  async list(
    workspaceId: string,
    owner: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ConversationBody>> {
    const { read } = this.options.database;
    const pages = new ListPages(this.options.cursors, ["conversations", workspaceId, owner]);
    const start = pages.start(query);
    const after = madeAt(start.after);
    const rows = await conversationPage(read, {
      workspaceId,
      owner,
      limit: start.rows,
      offset: start.offset,
      after,
    });
    return pages.body(start, {
      rows,
      itemOf: conversationOf,
      positionOf: ({ createdAt, id }) => [createdAt, id],
      total: query.count === true ? await countConversations(read, workspaceId, owner) : undefined,
    });
  }

  /** The last messages, and with a cursor those before. 404 for another user's conversation. */
  async detail(
    key: { readonly workspaceId: string; readonly id: string },
    owner: string,
    query: Pick<ListQuery, "limit" | "cursor">,
  ): Promise<ConversationDetail> {
    const { read } = this.options.database;
    const conversation = await conversationById(read, key);
    if (conversation?.owner !== owner) throw new Refusal("not-found");
    const limit = Math.min(query.limit ?? defaultMessages, maximumPageLimit);
    const pages = new ListPages(this.options.cursors, ["messages", key.workspaceId, key.id]);
    const start = pages.start({ ...query, limit });
    const before = start.after === undefined ? undefined : Number(start.after[0]);
    const messages = await messagesBefore(read, conversation, start.rows, before);
    const { hasNextPage, nextCursor } = pages.envelope(start, {
      rows: messages.toReversed(),
      positionOf: ({ ordinal }) => [ordinal],
    });
    return {
      ...conversationOf(conversation),
      messages: messages.slice(-limit).map(chatMessageOf),
      hasNextPage,
      nextCursor,
    };
  }
}
