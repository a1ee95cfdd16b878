/** A conversation belongs to the user who began it. */
export interface ConversationRow {
  workspace_id: string;
  id: string;
  /** The user's oid. */
  owner: string;
  workflow_id: string;
  stage: string;
  /** The first message's beginning. */
  title: string;
  message_count: number;
  created_at: string;
  updated_at: string;
}

export interface ChatMessageRow {
  workspace_id: string;
  conversation_id: string;
  /** From 1. */
  ordinal: number;
  id: string;
  /** `user` or `assistant`. */
  role: string;
  content: string;
  /** JSON array of citations. */
  citations: string;
  /** `complete`, or `incomplete` for an answer that was cut off. */
  status: string;
  created_at: string;
}

export interface ChatTables {
  conversations: ConversationRow;
  chat_messages: ChatMessageRow;
}
