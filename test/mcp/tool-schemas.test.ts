import { expect, test } from "vitest";
import { agentTools, listedTool } from "#mcp/tools.ts";
import { toolNamed } from "./tool-named.ts";

test("names, schemas and hints follow from the contract", () => {
  for (const tool of agentTools) {
    const listed = listedTool(tool, false);
    expect(listed.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(listed.inputSchema.type).toBe("object");
    const text = JSON.stringify(listed.inputSchema);
    for (const [, name = ""] of text.matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      expect(listed.inputSchema["$defs"], tool.name).toHaveProperty([name]);
    }
    if (tool.route.method === "GET") expect(listed.annotations?.readOnlyHint).toBe(true);
    if (tool.route.method === "DELETE") expect(listed.annotations?.destructiveHint).toBe(true);
    // A tool that reads is not destructive.
    expect(listed.annotations?.readOnlyHint === true && listed.annotations.destructiveHint).toBe(
      false,
    );
  }
  const hints = (name: string) => listedTool(toolNamed(name), false).annotations;
  expect(hints("resources_query")).toMatchObject({ readOnlyHint: true });
  expect(hints("resources_create")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints("resources_batchDelete")).toMatchObject({ destructiveHint: true });
  expect(hints("chat_send")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});
