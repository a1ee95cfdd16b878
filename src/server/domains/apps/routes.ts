import { configurationTypes } from "#contract/access/configuration-types.ts";
import type { App } from "#contract/apps/apps.ts";
import { Answer, type DomainHandlers } from "../../http/handler.ts";
import type { AppService } from "./service.ts";

const enrollmentType = configurationTypes.enrollment;

export function appHandlers({ apps }: { readonly apps: AppService }): DomainHandlers<"apps"> {
  return {
    async create({ body }, { work, workspace }) {
      const optionsOf = ({ id }: App) => ({
        headers: { location: `/v4/data/resources/${workspace.id}/${enrollmentType}/${id}` },
      });
      const app = await apps.create(work, workspace.id, body, (made, facts) =>
        facts.remember(made, optionsOf(made)),
      );
      return new Answer(app, optionsOf(app));
    },
    async provision({ params: { key }, body }, { work, workspace }) {
      const optionsOf = (jobId: string) => ({
        headers: {
          location: `/v4/platform/tenants/${workspace.id}/apps/${key}/provisioning-jobs/${jobId}`,
          "retry-after": "1",
        },
      });
      const job = await apps.provision(work, workspace, { key, ...body }, (made, facts) =>
        facts.remember(made, optionsOf(made.jobId)),
      );
      return new Answer(job, optionsOf(job.jobId));
    },
    job: ({ params, query }, { work, workspace }) =>
      apps.job(work, workspace.id, params.jobId, { key: params.key, ...query }),
  };
}
