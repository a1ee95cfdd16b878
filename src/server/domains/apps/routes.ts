import { Answer, type DomainHandlers } from "../../http/handler.ts";
import type { AppService } from "./service.ts";

export function appHandlers({ apps }: { readonly apps: AppService }): DomainHandlers<"apps"> {
  return {
    create: ({ body }, context) =>
      apps.create(context.principal, context.workspace.id, body, (app, headers) =>
        context.remember(app, { headers }),
      ),
    async provision({ params: { key }, body }, context) {
      const { principal, workspace } = context;
      const headersOf = (jobId: string) => ({
        location: `/v4/platform/tenants/${workspace.id}/apps/${key}/provisioning-jobs/${jobId}`,
        "retry-after": "1",
      });
      const job = await apps.provision(principal, workspace, { key, ...body }, (made) =>
        context.remember(made, { headers: headersOf(made.jobId) }),
      );
      return new Answer(job, { headers: headersOf(job.jobId) });
    },
    job: ({ params, query }, { workspace }) =>
      apps.job(workspace.id, params.jobId, { key: params.key, ...query }),
  };
}
