import type { ChatEvent } from "#contract/documents/chat.ts";
import type { ConversationKey } from "../store.ts";
import type { StoredEvents } from "./store.ts";

/** An answer of this platform that others may read and stop. */
export interface LocalAnswer {
  readonly messageId: string;
  readonly events: readonly ChatEvent[];
  readonly isFailed: boolean;
  stop(reason: string): void;
  /** Reports a reader on another platform. */
  noteReader(): void;
}

/** An answer that this platform writes, with the number of its events that are stored. */
export interface Written {
  readonly key: ConversationKey;
  readonly messageId: string;
  answer: LocalAnswer | undefined;
  stored: number;
  /** True while another platform has a reader, which learns of what is stored by the feed. */
  isFollowed: boolean;
}

/** The events of each answer that are not stored yet. */
export function unstored(all: readonly Written[]): StoredEvents[] {
  return all.flatMap(({ key: { workspaceId }, messageId, answer, stored }) => {
    const events = answer?.events.slice(stored) ?? [];
    return events.length === 0 ? [] : [{ workspaceId, messageId, place: stored, events }];
  });
}
