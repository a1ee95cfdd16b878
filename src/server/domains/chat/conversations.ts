import type {
  Conversation as ConversationBody,
  conversationDetail,
  ConversationDeletion,
} from "#contract/documents/chat.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type * as z from "zod";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Work } from "../../work/work.ts";
import type { AnswerRuns } from "./answer-runs.ts";
import { answerChanged } from "./platforms/answer-changes.ts";
import { removeAnswer } from "./platforms/store.ts";
import {
  conversationById,
  conversationPage,
  countConversations,
  countUserMessages,
  userMessageAt,
  messagesBefore,
  removeConversation,
  renameConversation,
  type Conversation,
  type ConversationKey,
} from "./store.ts";
import { chatMessageOf, conversationOf } from "./wire.ts";

export type ConversationDetail = z.output<typeof conversationDetail>;

const defaultMessages = 100;

/** The stored conversations of the caller; another user's one is 404. */
export class Conversations {
  constructor(
    private readonly options: { readonly cursors: ListCursors; readonly runs: AnswerRuns },
  ) {}

  async list(
    { read, scope: { caller: owner } }: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ConversationBody>> {
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
  countQuestions(
    { read }: Pick<Work, "read">,
    workspaceId: string,
    workflowId: string,
    since: string,
  ): Promise<number> {
    return countUserMessages(read, { workspaceId, workflowId, since });
  }

  /** The time of the `place`-th newest of the questions since a time; undefined for fewer. */
  questionAt(
    { read }: Pick<Work, "read">,
    workspaceId: string,
    workflowId: string,
    { since, place }: { readonly since: string; readonly place: number },
  ): Promise<string | undefined> {
    return userMessageAt(read, { workspaceId, workflowId, since }, place - 1);
  }

  /** The last messages, and with a cursor those before. 404 for another user's conversation. */
  async detail(
    work: Work,
    key: ConversationKey,
    query: Pick<ListQuery, "limit" | "cursor">,
  ): Promise<ConversationDetail> {
    const conversation = await this.require(work, key);
    const limit = Math.min(query.limit ?? defaultMessages, maximumPageLimit);
    const pages = new ListPages(this.options.cursors, ["messages", key.workspaceId, key.id]);
    const start = pages.start({ ...query, limit });
    const before = start.after === undefined ? undefined : Number(start.after[0]);
    const messages = await messagesBefore(work.read, conversation, start.rows, before);
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

  async rename(work: Work, key: ConversationKey, title: string): Promise<ConversationBody> {
    const conversation = await this.require(work, key);
    await work.write((tx) => renameConversation(tx, key, title));
    return conversationOf({ ...conversation, title });
  }

  /** Stops a running answer first, which would otherwise add its text. */
  async delete(work: Work, key: ConversationKey): Promise<ConversationDeletion> {
    await this.require(work, key);
    const { runs } = this.options;
    await runs.stop(key);
    runs.forget(key);
    const messages = await work.write(async (tx) => {
      if (await removeAnswer(tx, key)) {
        for (const change of ["wanted", "written"] as const) answerChanged(tx, key, change);
      }
      return removeConversation(tx, key);
    });
    return { conversation_id: key.id, messages };
  }

  /** Refuses 404 for a conversation that is not the caller's. */
  async require({ read, scope }: Work, key: ConversationKey): Promise<Conversation> {
    const conversation = await conversationById(read, key);
    if (conversation?.owner !== scope.caller) throw new Refusal("not-found");
    return conversation;
  }
}
