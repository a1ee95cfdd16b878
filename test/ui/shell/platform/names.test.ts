import { describe, expect, it } from "vitest";
import { createClient } from "#client/index.ts";
import { Names, type NameRequest, type NamesById } from "#ui/shell/platform/names.ts";
import { Platform } from "#ui/shell/platform/use-platform.ts";
import type { DashboardSession } from "#ui/surface.ts";

const session: DashboardSession = {
  baseUrl: "http://platform.test",
  profile: "default",
  local: true,
  command: { program: ["svc"], variables: {}, options: {} },
  signedIn: true,
  workspace: { id: "t" },
};

/** Names of a platform that answers with `answers` in their order. */
function namesOf(answers: readonly NamesById[]) {
  const client = createClient({ baseUrl: session.baseUrl, token: "token" });
  const platform = new Platform({ session, createClient: () => new Promise(() => {}) });
  platform.state.set((now) => ({ ...now, client }));
  const requests: NameRequest<string>[] = [];
  const names = new Names<string>(platform, (request) => {
    requests.push(request);
    return Promise.resolve(answers[requests.length - 1] ?? []);
  });
  return { platform, names, requests };
}

describe("names by id", () => {
  it("keep a known name that a later answer does not have", async () => {
    const { names } = namesOf([
      [["a", "Ada"]],
      [
        ["a", "a"],
        ["b", "Ben"],
      ],
    ]);
    const end = names.want(["a"]);
    await expect.poll(() => names.get()("a")).toBe("Ada");
    end();
    const endOther = names.want(["a", "b"]);
    await expect.poll(() => names.get()("b")).toBe("Ben");
    expect(names.get()("a")).toBe("Ada");
    expect(names.get()("c")).toBeUndefined();
    endOther();
  });

  it("are requested again with a refresh, and not after their end", async () => {
    const { platform, names, requests } = namesOf([]);
    const end = names.want(["a"]);
    await expect.poll(() => requests.length).toBe(1);
    platform.refresh();
    expect(requests.map(({ isRefresh }) => isRefresh)).toEqual([false, true]);
    expect(requests[0]?.signal.aborted).toBe(true);
    end();
    platform.refresh();
    expect(requests).toHaveLength(2);
  });

  it("are not requested while the user moves through a list", async () => {
    const { names, requests } = namesOf([]);
    const ends = ["a", "b", "c"].map((id) => names.want([id]));
    for (const end of ends.slice(0, 2)) end();
    await expect.poll(() => requests.length).toBe(1);
    expect(requests[0]?.wanted).toEqual(["c"]);
    for (const end of ends) end();
  });

  it("are forgotten after another user has signed in", async () => {
    const { platform, names } = namesOf([[["a", "Ada"]]]);
    const end = names.want(["a"]);
    await expect.poll(() => names.get()("a")).toBe("Ada");
    end();
    platform.changeSession({ ...session, user: "ben" });
    expect(names.get()("a")).toBeUndefined();
  });
});
