import { documentRoutes } from "#contract/documents/documents.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { contentResponse } from "../../files/content-response.ts";
import {
  Answer,
  type DomainHandlers,
  type UploadContext,
  type WorkspaceContext,
} from "../../http/handler.ts";
import type { AnswerOptions } from "../../work/work.ts";
import { claimedMediaType } from "../../http/body/claimed-media-type.ts";
import type { Erasures } from "../erasures/service.ts";
import { readMultipart } from "../../http/body/multipart.ts";
import type { DocumentService } from "./service.ts";
import type { DocumentUploads, OpenUpload } from "./upload/uploads.ts";
import { UploadForm } from "./upload/upload-form.ts";

const filesName = documentRoutes.upload.body.files;

export function documentHandlers({
  documents,
  erasures,
}: {
  readonly documents: DocumentService;
  readonly erasures: Erasures;
}): DomainHandlers<"documents"> {
  const { uploads, jobs } = documents;
  return {
    upload: ({ request }, context) => upload(uploads, request, context),
    listJobs: ({ query }, { work, workspace }) => jobs.list(work, workspace.id, query),
    job: ({ params }, context) => {
      const { work, workspace } = context;
      const key = { workspaceId: workspace.id, id: params.jobId };
      return context.wantsEvents ? watched(jobs.watch(work, key, context)) : jobs.get(work, key);
    },
    retryJob: async ({ params }, { work, workspace, baseUrl }) => {
      const job = await jobs.retry(work, { workspaceId: workspace.id, id: params.jobId });
      return new Answer(job, jobAnswer(baseUrl, job.jobId));
    },
    cancelJob: ({ params }, { work, workspace }) =>
      jobs.cancel(work, { workspaceId: workspace.id, id: params.jobId }),
    ragIndex: async ({ body }, { work, workspace, baseUrl }) => {
      const job = await documents.ragIndex(work, workspace.id, body, (queued, facts) =>
        facts.remember(queued, jobAnswer(baseUrl, queued.jobId)),
      );
      return new Answer(job, jobAnswer(baseUrl, job.jobId));
    },
    classifyByUrl: ({ body }, context) => {
      context.mayTakeLong();
      const { work, workspace, signal } = context;
      return documents.urls.analyze(work, workspace.id, body, signal);
    },
    list: ({ query }, { work, workspace, signal }) =>
      documents.list(work, workspace.id, query, signal),
    search: ({ query }, { work, workspace, signal }) =>
      documents.searches.run(work, workspace.id, query, signal),
    record: ({ params, query }, { work, workspace }) =>
      documents.record(work, workspace.id, params.documentId, query.job_id),
    content: async ({ params, query }, context) => {
      const { work, workspace, headers } = context;
      context.mayTakeLong();
      const content = await documents.content(work, workspace.id, params.documentId, query.job_id);
      return contentResponse(content, headers);
    },
    page: ({ params, query }, { work, workspace }) =>
      documents.page(work, workspace.id, params.documentId, params.page, query.words === "true"),
    picture: ({ params, query }, context) => picture(documents, { ...params, ...query }, context),
    tables: ({ params, query }, { work, workspace }) =>
      documents.tables(work, workspace.id, params.documentId, query),
    delete: ({ params, query }, context) => {
      const { work, workspace, ifMatch } = context;
      context.mayTakeLong();
      if (query.permanent === "true") {
        if (query.trash === "true") throw eitherTrash();
        const options = { jobId: query.job_id, ifMatch };
        return erasures.document(work, workspace, params.documentId, options);
      }
      const options = { jobId: query.job_id, ifMatch, trash: query.trash === "true" };
      return documents.delete(work, workspace, params.documentId, options);
    },
    deleted: ({ query }, { work, workspace }) => documents.deleted(work, workspace.id, query),
    restore: ({ params }, { work, workspace }) =>
      documents.restore(work, workspace, params.documentId),
  };
}

async function picture(
  documents: DocumentService,
  wanted: Parameters<DocumentService["picture"]>[2],
  context: WorkspaceContext,
): Promise<Response> {
  const { work, workspace, signal, headers } = context;
  context.mayTakeLong();
  return contentResponse(await documents.picture(work, workspace.id, wanted, signal), headers);
}

function eitherTrash(): Refusal {
  const detail = "cannot be given with permanent";
  return new Refusal("validation-failed", {
    detail: `trash ${detail}`,
    errors: [{ pointer: pointer("query", "trash"), detail }],
  });
}

/** The headers of a job's location and first poll (RFC 9110, 10.2.2 and 10.2.3). */
function jobAnswer(baseUrl: string, jobId: string): AnswerOptions {
  const location = `${baseUrl}/v4/data/documents/jobs/${jobId}`;
  return { headers: { location, "operation-location": location, "retry-after": "1" } };
}

/**
 * Reads the first event before the stream starts, so that an unknown job is 404. Not a generator:
 * `return` on a generator that has not started would not end the watch.
 */
async function watched<Event>(
  events: AsyncGenerator<Event, void, void>,
): Promise<{ events: AsyncIterable<Event> }> {
  let first: IteratorResult<Event, void> | undefined = await events.next();
  const iterator: AsyncIterator<Event, void> = {
    next: async () => {
      const result = first ?? (await events.next());
      first = undefined;
      return result;
    },
    return: () => events.return(),
  };
  return { events: { [Symbol.asyncIterator]: () => iterator } };
}

/** Text fields come before files: an upload is refused before any byte is stored. */
async function upload(
  uploads: DocumentUploads,
  request: Request,
  context: UploadContext,
): Promise<Answer<UploadAccepted>> {
  let open: OpenUpload | undefined;
  const form = new UploadForm();
  try {
    for await (const part of readMultipart(request)) {
      if (part.kind === "field") {
        if (open !== undefined)
          throw misplaced(part.name, "comes after a file: send fields before files");
        form.add(part);
        continue;
      }
      if (part.name !== filesName) {
        throw misplaced(part.name, `is a file: send files as "${filesName}"`);
      }
      open ??= await begin(uploads, form, context).catch((error: unknown) => {
        throw explainOrder(error, form);
      });
      const { filename, contentType, content } = part;
      const mediaType = claimedMediaType(contentType, filename);
      await open.take({ filename, mediaType, content }, context.signal);
    }
    if (open === undefined) {
      await begin(uploads, form, context);
      throw misplaced(filesName, "is required: the form has no file");
    }
    await context.claim(open.fingerprint);
    const accepted = await open.accept((answer, facts) =>
      facts.remember(answer, jobAnswer(context.baseUrl, answer.jobId)),
    );
    return new Answer(accepted, jobAnswer(context.baseUrl, accepted.jobId));
  } finally {
    await open?.discard();
  }
}

async function begin(
  uploads: DocumentUploads,
  form: UploadForm,
  context: UploadContext,
): Promise<OpenUpload> {
  const fields = form.finish();
  const workspace = await context.enterWorkspace(fields.tenant_id);
  return uploads.begin(context.work, workspace.id, fields);
}

/** A field that is missing before the first file may follow it, where it is not read. */
function explainOrder(error: unknown, form: UploadForm): unknown {
  if (!(error instanceof Refusal)) return error;
  const { errors = [], ...options } = error.options;
  if (!errors.some((fault) => form.lacks(fault))) return error;
  return new Refusal(error.code, {
    ...options,
    detail: `${error.message}; send fields before files`,
    errors: errors.map((fault) =>
      form.lacks(fault) ? { ...fault, detail: `${fault.detail} (before the files)` } : fault,
    ),
  });
}

function misplaced(name: string, detail: string): Refusal {
  return new Refusal("validation-failed", {
    detail: `${name} ${detail}`,
    errors: [{ pointer: pointer(name), detail }],
  });
}
