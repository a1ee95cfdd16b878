import { agentTools } from "#mcp/tools.ts";

export function toolNamed(name: string) {
  const tool = agentTools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}
