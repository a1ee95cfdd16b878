import { describe, expect, test } from "vitest";
import type { ModelError } from "#server/models/model-error.ts";
import { startModelServer, type ModelFault } from "#test/support/model-server.ts";
import { chatOf, failureOf } from "./asked-chats.ts";

const question = [{ role: "user", content: "What is the answer?" }] as const;

describe("an OpenAI-compatible endpoint", () => {
  const failures: readonly [ModelFault, ModelError["failure"]][] = [
    ["silent", "timed-out"],
    ["stalls", "timed-out"],
    ["garbage", "malformed"],
    ["not-json", "cut-off"],
    ["too-many-requests", "rate-limited"],
    ["fails", "failed"],
    ["refuses", "refused"],
    ["cut", "cut-off"],
    ["cut-before-end", "cut-off"],
    ["lies", "malformed"],
    ["redirects", "refused"],
  ];
  test.each(failures)(
    "an endpoint that is %s fails as %s, without its words",
    async (fault, kind) => {
      await using server = await startModelServer();
      server.behave(fault);
      const error = await failureOf(chatOf(server).generate({ messages: question }));
      expect(error.failure).toBe(kind);
      expect(error.message).not.toMatch(/sk-|127\.0\.0\.1|leaked/);
    },
  );
});
