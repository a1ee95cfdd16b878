import { dialects, plain, type Dialect } from "./dialects.ts";
import { queueWords, silentWords, wordsOfA, wordsOfB, wordsOfC, wordsOfD } from "./rewordings.ts";

/** Dialects that word whole answers in their own way, and two whose writes answer nothing. */
export const wordedDialects: readonly Dialect[] = [
  {
    ...plain,
    name: "A",
    ids: "colons",
    without: [],
    chatStream: "ui",
    errors: "error-object",
    words: wordsOfA,
  },
  {
    ...plain,
    name: "B",
    ids: "bars",
    documentIds: "uuid",
    lists: "data",
    more: "meta",
    extra: true,
    framing: "chunked",
    errors: "html",
    created: 201,
    without: [],
    words: wordsOfB,
  },
  {
    ...plain,
    name: "C",
    ids: "upper",
    documentIds: "compact",
    lists: "odata",
    more: "link",
    framing: "closing",
    errors: "text",
    created: 201,
    chatStream: "whole-text",
    without: [],
    words: wordsOfC,
  },
  {
    ...plain,
    name: "D",
    lists: "noun",
    more: "hasMore",
    optional: "null",
    extra: true,
    errors: "list",
    batch: "results",
    chatReply: "choices",
    chatStream: "ui",
    without: [],
    words: wordsOfD,
  },
  { ...plain, name: "silent", ids: "ulid", without: [], words: silentWords, unconfirmed: true },
  {
    ...plain,
    name: "queue",
    ids: "prefixed",
    lists: "value",
    without: [],
    words: queueWords,
    unconfirmed: true,
  },
];

export const everyDialect: readonly Dialect[] = [...dialects, ...wordedDialects];
