import { key, keyGroup } from "../kit/keys/keys.ts";
import type { ShellKeys } from "../shell/keys.ts";

export const chatKeys = keyGroup({
  write: key("i", "place", "write a message", { footer: 9 }),
  send: key("enter", "chat", "send", { footer: 10 }),
  openCitation: key("enter", "chat", "open the source", { footer: 10 }),
  nextCitation: key("tab", "chat", "next source", { footer: 21 }),
  previousCitation: key("shift+tab", "chat", "previous source"),
  stop: key("escape", "chat", "stop", { footer: 8 }),
  leave: key("escape", "chat", "leave", { footer: 12, onlyKey: true }),
  workflow: key("ctrl+t", ["chat", "place"], "workflow", { footer: 43 }),
  allDocuments: key("ctrl+x", ["chat", "place"], "ask about all documents", { footer: 44 }),
  newConversation: key("ctrl+n", ["chat", "place"], "new conversation", { footer: 41 }),
  conversations: key("ctrl+o", ["chat", "place"], "conversations", { footer: 42 }),
  goChat: key("4", "global", "chat"),
});

export type ChatKeys = typeof chatKeys & ShellKeys;
