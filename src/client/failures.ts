import {
  CatalogError,
  type CatalogErrorOptions,
  type ErrorCode,
  type ErrorContext,
} from "#contract/errors.ts";

/** A refusal by the platform: the catalog error, with the HTTP status and the problem body. */
export class PlatformError<Code extends ErrorCode = ErrorCode> extends CatalogError<Code> {
  override readonly name = "PlatformError";
  override readonly status: number;
  /** The platform's own name of the request, to quote to its operator. */
  readonly requestId: string | undefined;

  constructor(
    code: Code,
    context: ErrorContext<Code>,
    options: CatalogErrorOptions & { readonly status: number; readonly requestId?: string },
  ) {
    super(code, context, options);
    this.status = options.status;
    this.requestId = options.requestId;
  }
}
