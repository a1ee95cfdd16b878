import { configurationTypes } from "#contract/access/configuration-types.ts";
import type { App, AppCreation } from "#contract/apps/apps.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import type { Facts, Work } from "../../work/work.ts";
import type { ResourceService } from "../records/service.ts";

const enrollmentType = configurationTypes.enrollment;

const membersByProperty: Readonly<Record<string, string>> = {
  vertical_key: "key",
  display_name: "displayName",
  app_url: "appUrl",
  runtime_tenant_id: "runtimeTenantId",
};

/** The enrollment records of apps (spec 2.9). */
export class Enrollments {
  constructor(
    private readonly resources: Pick<ResourceService, "create" | "update" | "findRecords">,
  ) {}

  async create(
    work: Work,
    workspaceId: string,
    creation: AppCreation,
    remember: (app: App, facts: Facts) => void,
  ): Promise<App> {
    const data = dataOf(creation);
    const { text } = await this.#named(creation.key, () =>
      this.resources.create(work, workspaceId, enrollmentType, data, (made, facts) =>
        remember(appIn(made.text), facts),
      ),
    );
    return appIn(text);
  }

  async find(work: Work, workspaceId: string, key: string): Promise<Resource | undefined> {
    const ofKey = { vertical_key: key };
    const [found] = await this.resources.findRecords(work, workspaceId, enrollmentType, ofKey);
    return found;
  }

  /** 404 without it: an app is enrolled before it is provisioned. */
  async require(work: Work, workspaceId: string, key: string): Promise<Resource> {
    const found = await this.find(work, workspaceId, key);
    if (found !== undefined) return found;
    throw new Refusal("not-found", {
      detail: "This workspace has no app with this key: enroll it first with POST …/apps",
    });
  }

  /** Creates or changes the enrollment of a key; writes nothing when it already has these data. */
  async put(work: Work, workspaceId: string, data: JsonObject): Promise<void> {
    const key = String(data["vertical_key"]);
    const found = await this.find(work, workspaceId, key);
    if (found === undefined) {
      await this.resources.create(work, workspaceId, enrollmentType, data);
      return;
    }
    const { id, version } = found;
    const next = { ...found.data, ...data };
    if (Object.entries(data).every(([name, value]) => found.data[name] === value)) return;
    await this.resources.update(work, workspaceId, enrollmentType, { id, version, data: next });
  }

  /** A refusal in the names of the request. */
  async #named<Result>(key: string, create: () => Promise<Result>): Promise<Result> {
    try {
      return await create();
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
        ...given({ errors }),
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
    ...given({ template, source, app_url: appUrl, runtime_tenant_id: runtimeTenantId }),
  };
}

/** The text of a property; undefined where it is not set. */
export function textOf(data: JsonObject, name: string): string | undefined {
  const value = data[name];
  return typeof value === "string" ? value : undefined;
}

/** The app in the JSON text of its record, which this service has written. */
function appIn(text: string): App {
  const { id, data, created_at } = JSON.parse(text) as Resource;
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
