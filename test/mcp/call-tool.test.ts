import { expect, test } from "vitest";
import { callTool } from "#mcp/call-tool.ts";
import { agentTools } from "#mcp/tools.ts";

test("each report of a waiting call is above the one before, also when the job stands still", async () => {
  const percents = [40, 40, 100, 20, undefined];
  const tool = agentTools.find(({ name }) => name === "documents_job")!;
  const reported: number[] = [];
  const answer = await callTool(
    {
      workspaceId: "01890000-0000-7000-8000-000000000000",
      secrets: [],
      async *changes() {},
      send: () => {
        const isLast = percents.length === 0;
        const percentCompleted = isLast ? 100 : percents.shift();
        const status = isLast ? "succeeded" : "running";
        return Promise.resolve(Response.json({ jobId: "job", status, percentCompleted }));
      },
    },
    tool,
    { jobId: "job", waitSeconds: 30 },
    {
      signal: AbortSignal.timeout(30_000),
      report: (percent) => Promise.resolve(void reported.push(percent)),
    },
  );
  expect(answer.structuredContent).toMatchObject({ status: "succeeded" });
  expect(reported).toHaveLength(5);
  expect(reported).toEqual([...new Set(reported)].toSorted((one, other) => one - other));
  expect(reported.every((percent) => percent < 100)).toBe(true);
});
