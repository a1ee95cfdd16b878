import * as z from "zod";
import { given } from "#lib/given.ts";
import { alsoNamed } from "./deployments.ts";

export { pointer } from "#lib/json/pointer.ts";

/** Problem types (RFC 9457); `type` is `/problems/<key>`, `code` the key. */
export const problemTypes = {
  "malformed-body": { status: 400, title: "The request body could not be read" },
  "malformed-request": { status: 400, title: "The request could not be read" },
  unauthenticated: { status: 401, title: "No access token was sent" },
  "token-expired": { status: 401, title: "The access token has expired" },
  "token-invalid": { status: 401, title: "The access token is not valid" },
  "permission-denied": { status: 403, title: "The role does not allow this" },
  "workflow-unavailable": { status: 403, title: "The workflow cannot be used" },
  "origin-refused": { status: 403, title: "The request's host or origin is not this platform's" },
  "link-expired": { status: 403, title: "The signed link has expired" },
  "link-invalid": { status: 403, title: "The signed link is not valid" },
  "not-found": { status: 404, title: "Not found" },
  "route-not-found": { status: 404, title: "No such route" },
  "vertical-not-enrolled": { status: 404, title: "The product is not enrolled" },
  "method-not-allowed": { status: 405, title: "The route does not support this method" },
  "not-acceptable": { status: 406, title: "No representation fits the Accept field" },
  conflict: { status: 409, title: "The request conflicts with what is stored" },
  "already-exists": { status: 409, title: "It exists already" },
  "version-conflict": { status: 409, title: "The version is not current" },
  "confirmation-required": { status: 409, title: "The request takes rights away: confirm it" },
  "still-referenced": { status: 409, title: "Other records refer to the record" },
  "not-restorable": { status: 409, title: "The restore is not possible" },
  "request-in-progress": { status: 409, title: "The same request is still running" },
  "quota-exceeded": { status: 409, title: "The workspace has reached its quota" },
  "job-not-retryable": { status: 409, title: "The job's state does not allow this" },
  "feed-reset": { status: 410, title: "The changes since this cursor are not known" },
  "job-expired": { status: 410, title: "The job tracker has expired" },
  "precondition-failed": { status: 412, title: "A precondition of the request does not hold" },
  "content-too-large": { status: 413, title: "The content is larger than the limit" },
  "unsupported-media-type": { status: 415, title: "The content type is not supported here" },
  "range-not-satisfiable": { status: 416, title: "The range is outside the content" },
  "validation-failed": { status: 422, title: "The request is not valid" },
  "idempotency-key-reused": { status: 422, title: "The key was used with another body" },
  "unsupported-processing-mode": {
    status: 422,
    title: "The lifecycle does not support this processing mode",
  },
  "no-page-picture": { status: 422, title: "The page has no picture" },
  "classification-not-ready": { status: 422, title: "The workflow cannot classify documents yet" },
  "document-context-missing": { status: 422, title: "The upload names no valid context" },
  "fields-too-large": { status: 431, title: "The request's header fields are too large" },
  "rate-limited": { status: 429, title: "Too many requests" },
  "request-cancelled": { status: 499, title: "The client closed the request" },
  "internal-error": { status: 500, title: "The platform failed" },
  "content-missing": { status: 500, title: "The stored content is missing" },
  overloaded: { status: 503, title: "The platform is busy" },
  "storage-unavailable": { status: 503, title: "The storage is not available" },
  draining: { status: 503, title: "The platform is shutting down" },
  "took-too-long": { status: 504, title: "Looking through the records took too long" },
  "storage-full": { status: 507, title: "There is no space left" },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof problemTypes;

/** The media type of every response that is not a success (RFC 9457). */
export const problemMediaType = "application/problem+json";

export const fault = z.looseObject({ pointer: z.string(), detail: z.string() });
/** One invalid place in a request; `pointer` is a JSON Pointer as URI fragment (RFC 6901, 6). */
export type Fault = z.infer<typeof fault>;

export const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: alsoNamed(z.string().optional(), "message", "reason"),
    instance: z.string().optional(),
    code: z.string().optional(),
    requestId: z.string().optional(),
    retryable: z.boolean().optional(),
    errors: z.array(fault).optional(),
    currentVersion: z.int().optional(),
    changedFields: z.array(z.string()).optional(),
  })
  .meta({ id: "Problem", description: "Problem details (RFC 9457)" });
/** The body of a failed response (RFC 9457); a version conflict has `currentVersion`. */
export type Problem = z.infer<typeof problem>;

const retryableCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "request-in-progress",
  "rate-limited",
  "overloaded",
  "storage-unavailable",
  "draining",
]);

/** Additions to the problem body and the headers of a refusal. */
export interface RefusalOptions {
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  /** Further members of the problem body, e.g. `currentVersion`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The exception that services and the pipeline throw; the pipeline turns it into a problem. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ProblemCode;
  readonly status: number;
  readonly options: RefusalOptions;

  constructor(code: ProblemCode, options: RefusalOptions = {}) {
    super(
      options.detail ?? problemTypes[code].title,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.status = problemTypes[code].status;
    this.options = options;
  }

  /** The problem body for the wire; `instance` is the request's path. */
  toProblem(instance: string, requestId: string): Problem {
    return { ...this.toItemProblem(), instance, requestId };
  }

  /** The problem of one batch item, without `instance` and `requestId`. */
  toItemProblem(): Problem {
    return {
      type: `/problems/${this.code}`,
      title: problemTypes[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      retryable: retryableCodes.has(this.code),
      ...given({ errors: this.options.errors && [...this.options.errors] }),
      ...this.options.members,
    };
  }
}
