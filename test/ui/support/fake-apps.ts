/** API keys, apps, their provisioning and workflows, as the fake platform answers them. */

const at = "2026-11-20T10:00:00.000Z";

interface FakeKey {
  readonly keyId: string;
  readonly name: string;
  readonly role: string;
  readonly created_by: string;
  status: string;
}

interface FakeApp {
  readonly key: string;
  readonly displayName: string;
}

function enrollment({ key, displayName }: FakeApp) {
  const data = { vertical_key: key, display_name: displayName, status: "pending" };
  return { id: `e-${key}`, type: "tenant-vertical-enrollment", version: 1, data, created_at: at };
}

function provisioning(key: string) {
  const step = (name: string, status: string, seconds: number) => ({
    name,
    status,
    startedAt: `2026-11-20T10:00:0${seconds}.000Z`,
    finishedAt: `2026-11-20T10:00:0${seconds + 2}.000Z`,
  });
  const error = { code: "conflict", message: "The storage of this workspace is full" };
  return {
    jobId: `job-${key}`,
    key,
    status: "failed",
    steps: [
      step("enrollment", "succeeded", 1),
      step("object-types", "succeeded", 3),
      { ...step("storage", "failed", 5), error },
      { name: "activation", status: "pending" },
    ],
    error,
    createdAt: at,
  };
}

/** The second member, who has made every key. */
export const benOid = "01936f00-0000-7000-8000-0000000000bb";

export class FakeApps {
  readonly #keys: FakeKey[] = [];
  readonly #apps: FakeApp[] = [{ key: "planning-portal", displayName: "Planning portal" }];
  readonly #requested = new Set<string>();
  readonly #isRefusing: boolean;

  /** With refusals, the evaluation of capabilities gives one. */
  constructor(isRefusing: boolean) {
    this.#isRefusing = isRefusing;
  }

  /** The answer, and undefined for every other request. */
  async answer(request: Request, path: string): Promise<object | undefined> {
    const { method } = request;
    const body = async () => (await request.json()) as Record<string, string>;
    if (path.endsWith("/v4/platform/capabilities/evaluate")) {
      const { capabilities } = (await request.json()) as { capabilities: string[] };
      const decisions = capabilities.map((capability) => ({
        capability,
        allowed: capability !== "apps.provision",
        reason: "needs the permission apps.provision, which your role lacks",
      }));
      return this.#isRefusing ? { allowed: false, reason: "", decisions } : undefined;
    }
    if (path.endsWith("/keys") && method === "POST") {
      const { name = "", roleDefinitionId = "" } = await body();
      const key = {
        keyId: `k-${this.#keys.length}`,
        name,
        role: roleDefinitionId,
        status: "active",
        created_by: benOid,
      };
      this.#keys.unshift(key);
      return { key, token: "svc_shown-once" };
    }
    if (path.endsWith("/keys")) return { items: this.#keys, hasNextPage: false };
    const key = this.#keys.find(({ keyId }) => path.endsWith(`/keys/${keyId}`));
    if (key !== undefined && method === "DELETE") {
      key.status = "revoked";
      return { keyId: key.keyId, status: "revoked" };
    }
    if (path.endsWith("/tenant-vertical-enrollment")) {
      return { items: this.#apps.map(enrollment), hasNextPage: false };
    }
    if (path.endsWith("/apps") && method === "POST") {
      const { key: appKey = "", displayName = "" } = await body();
      this.#apps.unshift({ key: appKey, displayName });
      return { id: `e-${appKey}`, key: appKey };
    }
    const job = /\/apps\/([^/]+)\/provisioning-jobs(?:\/|$)/.exec(path);
    if (job?.[1] !== undefined) return provisioning(job[1]);
    return this.#workflow(request, path);
  }

  async #workflow(request: Request, path: string): Promise<object | undefined> {
    const row = (key: string) => ({
      workflow_key: key,
      ready: key === "planning-assistant",
      status: key === "planning-assistant" ? "available" : "operator_required",
      reason: key === "planning-assistant" ? "It is bound" : `No operator has set up ${key}`,
    });
    if (path === "/v4/integrations/builder/readiness") {
      const keys = new URL(request.url).searchParams.get("workflow_keys");
      return { items: (keys ?? "planning-assistant,licence-checker").split(",").map(row) };
    }
    const status = /^\/v4\/workflows\/runtime\/([^/]+)\/status$/.exec(path)?.[1];
    if (status !== undefined) {
      return { ...row(status), ...(this.#requested.has(status) ? { requestedAt: at } : {}) };
    }
    if (path !== "/v4/workflows/runtime-requests") return undefined;
    const { workflow_key: wanted = "" } = (await request.json()) as Record<string, string>;
    this.#requested.add(wanted);
    return { requestId: "r1", workflow_key: wanted, status: "accepted" };
  }
}
