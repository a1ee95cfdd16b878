import { enrollmentType, type App, type AppCreation } from "#contract/apps.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Principal } from "../../http/handler.ts";
import { Answer } from "../../http/handler.ts";
import type { FoundRecord, ResourceService } from "../records/service.ts";

type Actor = Pick<Principal, "oid">;

const membersByProperty: Readonly<Record<string, string>> = {
  vertical_key: "key",
  display_name: "displayName",
  app_url: "appUrl",
  runtime_tenant_id: "runtimeTenantId",
};

/** The enrollment records of apps (spec 2.9). */
export class Enrollments {
  constructor(
    private readonly parts: {
      readonly resources: Pick<ResourceService, "create" | "update" | "get">;
      readonly lookup: {
        findRecords(
          workspaceId: string,
          objectType: string,
          where: JsonObject,
        ): Promise<readonly FoundRecord[]>;
      };
    },
  ) {}

  async create(
    principal: Actor & Principal,
    workspaceId: string,
    creation: AppCreation,
    remember: (app: App, location: Readonly<Record<string, string>>) => void,
  ): Promise<Answer<App>> {
    let answer: { readonly app: App; readonly headers: Record<string, string> } | undefined;
    await this.#named(creation.key, () =>
      this.parts.resources.create(
        principal,
        workspaceId,
        enrollmentType,
        dataOf(creation),
        ({ id, text }) => {
          // The text is what this service writes.
          const app = appOf(JSON.parse(text.text) as Resource);
          const location = `/v4/data/resources/${workspaceId}/${enrollmentType}/${id}`;
          answer = { app, headers: { location } };
          remember(app, answer.headers);
        },
      ),
    );
    if (answer === undefined) throw new Error("an enrollment was made and not returned");
    return new Answer(answer.app, { headers: answer.headers });
  }

  async find(workspaceId: string, key: string): Promise<Resource | undefined> {
    const [found] = await this.parts.lookup.findRecords(workspaceId, enrollmentType, {
      vertical_key: key,
    });
    if (found === undefined) return undefined;
    return this.parts.resources.get(workspaceId, enrollmentType, found.id);
  }

  /** 404 without it: an app is enrolled before it is provisioned. */
  async require(workspaceId: string, key: string): Promise<Resource> {
    const found = await this.find(workspaceId, key);
    if (found !== undefined) return found;
    throw new Refusal("not-found", {
      detail: "This workspace has no app with this key: enroll it first with POST …/apps",
    });
  }

  /** Creates or changes the enrollment of a key; writes nothing when it already has these data. */
  async put(actor: Actor & Principal, workspaceId: string, data: JsonObject): Promise<void> {
    const key = String(data["vertical_key"]);
    const found = await this.find(workspaceId, key);
    if (found === undefined) {
      await this.parts.resources.create(actor, workspaceId, enrollmentType, data);
      return;
    }
    const { id, version } = found;
    const next = { ...found.data, ...data };
    if (Object.entries(data).every(([name, value]) => found.data[name] === value)) return;
    await this.parts.resources.update(actor, workspaceId, enrollmentType, {
      id,
      version,
      data: next,
    });
  }

  /** A refusal in the names of the request. */
  async #named<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "not-found") {
        throw new Refusal("conflict", {
          detail:
            `Cannot enroll an app: this workspace has no Object Type ${enrollmentType}. ` +
            "The starter template blank-vertical-template has its definition",
        });
      }
      const isTaken = error.options.errors?.some(
        ({ pointer: at }) => at === pointer("vertical_key"),
      );
      if (error.code === "already-exists" && isTaken === true) {
        throw new Refusal("already-exists", {
          detail: `Cannot enroll the app ${JSON.stringify(key)}: this workspace has it already`,
          errors: [{ pointer: pointer("key"), detail: "is taken" }],
        });
      }
      const errors = error.options.errors?.map((fault) => ({
        ...fault,
        pointer: fault.pointer.replace(/^#\/(?:data\/)?(\w+)/, (whole, name: string) => {
          const member = membersByProperty[name];
          return member === undefined ? whole : pointer(member);
        }),
      }));
      throw new Refusal(error.code, {
        ...error.options,
        detail: error.message,
        ...(errors === undefined ? {} : { errors }),
      });
    }
  }
}

function dataOf(creation: AppCreation): JsonObject {
  const { key, displayName, status, template, source, appUrl, runtimeTenantId } = creation;
  return {
    vertical_key: key,
    display_name: displayName,
    status,
    ...(template === undefined ? {} : { template }),
    ...(source === undefined ? {} : { source }),
    ...(appUrl === undefined ? {} : { app_url: appUrl }),
    ...(runtimeTenantId === undefined ? {} : { runtime_tenant_id: runtimeTenantId }),
  };
}

/** The text of a property; undefined where it is not set. */
export function textOf(data: JsonObject, name: string): string | undefined {
  const value = data[name];
  return typeof value === "string" ? value : undefined;
}

function appOf({ id, data, created_at }: Resource): App {
  return {
    id,
    key: textOf(data, "vertical_key"),
    displayName: textOf(data, "display_name"),
    status: textOf(data, "status"),
    template: textOf(data, "template") ?? null,
    source: textOf(data, "source") ?? null,
    appUrl: textOf(data, "app_url") ?? null,
    runtimeTenantId: textOf(data, "runtime_tenant_id") ?? null,
    created_at,
  };
}
