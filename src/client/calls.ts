import type { Domain, Routes } from "#contract/index.ts";
import type {
  FieldsInput,
  JsonInput,
  ParamsInput,
  QueryInput,
  ReplyBody,
  ReplyEvent,
  RouteDefinition,
} from "#contract/route.ts";
import type {
  ByteSource,
  CallOptions,
  ProgressListener,
  UnsizedSource,
  UploadFile,
} from "./options.ts";

/** The types of every call, computed from the contract's routes. */

/** A part of the input: absent where the route has none, optional where nothing in it is required. */
type InputPart<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value | undefined }
    : { readonly [Key in Name]: Value };

/** `tenantId` comes from the client or the call's options unless it is given. */
type WithoutTenant<Params> = Params extends { tenantId: string }
  ? Omit<Params, "tenantId"> & { tenantId?: string | undefined }
  : Params;

type BodyPart<Definition> = Definition extends { readonly body: { readonly type: infer Type } }
  ? Type extends "json"
    ? InputPart<"body", JsonInput<Definition>>
    : Type extends "multipart"
      ? {
          readonly fields: FieldsInput<Definition>;
          readonly files: readonly UploadFile[];
          readonly onProgress?: ProgressListener | undefined;
        }
      : {
          readonly content: ByteSource | UnsizedSource;
          /** Default: the route's own. */
          readonly contentType?: string | undefined;
          readonly onProgress?: ProgressListener | undefined;
        }
  : unknown;

/** What a route's call takes. */
export type CallInput<Definition> = CallOptions &
  InputPart<"params", WithoutTenant<ParamsInput<Definition>>> &
  InputPart<"query", QueryInput<Definition>> &
  BodyPart<Definition>;

type CallResult<Definition extends RouteDefinition> = Definition["reply"] extends { type: "json" }
  ? Promise<ReplyBody<Definition>>
  : Definition["reply"] extends { type: "events" }
    ? AsyncIterable<ReplyEvent<Definition>>
    : Definition["reply"] extends { type: "bytes" }
      ? Promise<Response>
      : Promise<void>;

type Arguments<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

/** One route as a function; the variants give what the plain call hides. */
export type RouteCall<Definition extends RouteDefinition> = ((
  ...input: Arguments<CallInput<Definition>>
) => CallResult<Definition>) & {
  /** The untouched response, whatever its status; the body is not read. */
  raw(...input: Arguments<CallInput<Definition>>): Promise<Response>;
} & (Definition extends { readonly events: object }
    ? {
        /** The representation as server-sent events; ends when the platform ends it. */
        events(...input: Arguments<CallInput<Definition>>): AsyncIterable<ReplyEvent<Definition>>;
      }
    : unknown);

export type DomainCalls<DomainRoutes> = {
  readonly [Name in keyof DomainRoutes]: DomainRoutes[Name] extends RouteDefinition
    ? RouteCall<DomainRoutes[Name]>
    : never;
};

/** `client.<domain>.<route>(input)` for every route of the contract. */
export type ContractCalls = { readonly [Name in Domain]: DomainCalls<Routes[Name]> };
