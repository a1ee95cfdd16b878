import { key, keyGroup } from "../kit/keys/keys.ts";

export const searchKeys = keyGroup({
  searchMode: key("tab", "picker", "another mode", { footer: 12, onlyKey: true }),
  searchTypes: key("shift+tab", "picker", "what to search", { footer: 13, onlyKey: true }),
});

export type SearchKeys = typeof searchKeys;
