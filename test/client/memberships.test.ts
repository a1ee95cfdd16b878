import { describe, expect, it } from "vitest";
import { memberships } from "#client/index.ts";
import { clientOf, serve } from "./servers.ts";

function workspace(number: number) {
  const id = `01890000-0000-7000-8000-${String(number).padStart(12, "0")}`;
  return { id, slug: `workspace-${number}` };
}

const items = [1, 2, 3].map(workspace);

/** Each case: what a deployment answers to the query of a request. */
const deployments: Readonly<Record<string, (query: URLSearchParams) => object>> = {
  "with one complete list": () => ({ items }),
  "with page numbers": (query) => {
    const page = Number(query.get("page") ?? 1);
    return { items: items.slice(page - 1, page), hasNextPage: page < items.length };
  },
  "with cursors": (query) => {
    const at = Number(query.get("cursor") ?? 0);
    return { items: [items[at]], nextCursor: at < 2 ? String(at + 1) : null };
  },
};

describe("all workspaces of the user", () => {
  it.each(Object.entries(deployments))("%s", async (_name, answer) => {
    const server = serve(({ path }) => {
      return Response.json(answer(new URLSearchParams(path.split("?")[1])));
    });
    const found = await memberships(clientOf(server), { deleted: true });
    expect(found.map(({ slug }) => slug)).toEqual(["workspace-1", "workspace-2", "workspace-3"]);
    // The first request has no place, as the specification has it.
    const paths = server.seen.map(({ path }) => path);
    expect(paths[0]).toBe("/v4/identity/tenants?deleted=true");
    expect(paths.every((path) => path.includes("deleted=true"))).toBe(true);
  });

  it("refuses a list that announces the same page again", async () => {
    const server = serve(() => Response.json({ items, nextCursor: "same" }));
    await expect(memberships(clientOf(server))).rejects.toMatchObject({ code: "E203" });
  });
});
