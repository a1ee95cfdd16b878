import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { moreTools } from "#mcp/agent-server.ts";
import { offeredTools, toolSets, unknownSets } from "#mcp/tool-sets.ts";
import { agentTools, listedTool } from "#mcp/tools.ts";

test("the list without a selection has at most 25 tools in 24 kB", () => {
  const { listed, callable, hasSearch } = offeredTools({});
  const tools = [...listed.map((tool) => listedTool(tool, false)), ...moreTools(false)];
  expect(tools).toHaveLength(22);
  const text = JSON.stringify(tools);
  expect(Buffer.byteLength(text)).toBeLessThan(24_000);
  expect(countTokens(text)).toBeLessThan(6_000);
  expect(tools.every(({ outputSchema }) => outputSchema?.type === "object")).toBe(true);
  expect({ hasSearch, callable: callable.length }).toEqual({
    hasSearch: true,
    callable: agentTools.length,
  });
});

test("sets limit what may be called, unless the default is one of them", () => {
  const domainsOf = (sets: string[]) =>
    new Set(offeredTools({ sets }).callable.map(({ domain }) => domain));
  expect(domainsOf(["chat"])).toEqual(new Set(["chat"]));
  expect(domainsOf(["chat", "audit"])).toEqual(new Set(["chat", "audit"]));
  expect(domainsOf(["chat", "default"])).toEqual(new Set(toolSets.slice(2)));
  expect(offeredTools({ sets: ["all"] })).toMatchObject({ hasSearch: false });
  expect(offeredTools({ sets: ["all"] }).listed).toHaveLength(agentTools.length);
  const { listed, callable } = offeredTools({ readOnly: true, sets: ["default", "members"] });
  expect([...listed, ...callable].every(({ isReadOnly }) => isReadOnly)).toBe(true);
  expect(unknownSets({ sets: ["chat", "chats"] })).toEqual(["chats"]);
});
