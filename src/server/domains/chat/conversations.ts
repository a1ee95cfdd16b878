import type {
  Conversation as ConversationBody,
  conversationDetail,
  ConversationDeletion,
} from "#contract/chat.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type * as z from "zod";
import type { Database } from "../../database/database.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";
import type { AnswerRuns } from "./answer-runs.ts";
import {
  conversationById,
  conversationPage,
  countConversations,
  countUserMessages,
  messagesBefore,
  removeConversation,
  renameConversation,
  type Conversation,
  type ConversationKey,
} from "./store.ts";
import { chatMessageOf, conversationOf } from "./wire.ts";

export type ConversationDetail = z.output<typeof conversationDetail>;

const defaultMessages = 100;

/** The stored conversations of users; another user's one is 404. */
export class Conversations {
  constructor(
    private readonly options: { database: Database; cursors: ListCursors; runs: AnswerRuns },
  ) {}

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

  /** The number of questions to a workflow since a time (RFC 3339), of all users. */
  countQuestions(workspaceId: string, workflowId: string, since: string): Promise<number> {
    return countUserMessages(this.options.database.read, { workspaceId, workflowId, since });
  }

  /** The last messages, and with a cursor those before. 404 for another user's conversation. */
  async detail(
    key: { readonly workspaceId: string; readonly id: string },
    owner: string,
    query: Pick<ListQuery, "limit" | "cursor">,
  ): Promise<ConversationDetail> {
    const { read } = this.options.database;
    const conversation = await this.require(key, owner);
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

  async rename(key: ConversationKey, owner: string, title: string): Promise<ConversationBody> {
    const conversation = await this.require(key, owner);
    await this.options.database.write((writer) => renameConversation(writer, key, title));
    return conversationOf({ ...conversation, title });
  }

  /** Stops a running answer first, which would otherwise add its text. */
  async delete(key: ConversationKey, owner: string): Promise<ConversationDeletion> {
    await this.require(key, owner);
    const { database, runs } = this.options;
    await runs.stop(key);
    runs.forget(key);
    const messages = await database.write((writer) => removeConversation(writer, key));
    return { conversation_id: key.id, messages };
  }

  /** Refuses 404 for a conversation that is not the user's. */
  async require(key: ConversationKey, owner: string): Promise<Conversation> {
    const conversation = await conversationById(this.options.database.read, key);
    if (conversation?.owner !== owner) throw new Refusal("not-found");
    return conversation;
  }
}
