import { key, keyGroup } from "../kit/keys/keys.ts";
import { changing } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export const chatKeys = keyGroup({
  write: [
    key("i", "place", "write a message", { footer: 9, disabledReason: changing }),
    key("enter", "pane", "write a message", { onlyKey: true, disabledReason: changing }),
  ],
  send: key("enter", "chat", "send", { footer: 10, disabledReason: changing }),
  openCitation: key("enter", ["chat", "pane"], "open the source", { footer: 10 }),
  nextCitation: key("tab", ["chat", "pane"], "next source", { footer: 21 }),
  previousCitation: key("shift+tab", ["chat", "pane"], "previous source"),
  copyCitation: [
    key("Y", "pane", "copy the source", { footer: 22 }),
    key("ctrl+y", "chat", "copy the source", { footer: 22 }),
  ],
  stop: key("escape", ["chat", "pane"], "stop", { footer: 8 }),
  deselect: key("escape", "pane", "no source", { footer: 12, onlyKey: true }),
  leave: key("escape", "chat", "leave", { footer: 12, onlyKey: true }),
  workflow: key("ctrl+t", ["chat", "place"], "workflow", { footer: 43 }),
  context: [
    key("c ctrl+g", "place", "documents to ask", { footer: 39 }),
    key("ctrl+g", "chat", "documents to ask", { footer: 39 }),
  ],
  allDocuments: key("ctrl+x", ["chat", "place"], "ask about all documents", { footer: 44 }),
  newConversation: key("ctrl+n", ["chat", "place"], "new conversation", { footer: 41 }),
  conversations: key("ctrl+o", ["chat", "place"], "conversations", { footer: 42 }),
  closeConversation: key("ctrl+w", "place", "close the conversation", { footer: 45 }),
  exportConversation: key("x", "place", "export to a file", { footer: 46 }),
  goChat: key("4", "global", "chat"),
});

export type ChatKeys = typeof chatKeys & ShellKeys;
