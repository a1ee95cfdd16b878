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

/** A part of the input: optional if the route requires nothing in it. */
type InputPart<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value | undefined }
    : { readonly [Key in Name]: Value };

/** `tenantId` defaults to the one of the call's options, then to the client's. */
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
          /** Default: the content type of the route. */
          readonly contentType?: string | undefined;
          readonly onProgress?: ProgressListener | undefined;
        }
  : unknown;

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

/** One route as a function, with variants for the raw response and for events. */
export type RouteCall<Definition extends RouteDefinition> = ((
  ...input: Arguments<CallInput<Definition>>
) => CallResult<Definition>) & {
  /** The unread response, with any status. */
  raw(...input: Arguments<CallInput<Definition>>): Promise<Response>;
} & (Definition extends { readonly events: object }
    ? {
        /** The server-sent events of the route, until the platform ends the stream. */
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

/** The routes as calls of a client, with its workspace. */
export interface ClientCalls extends ContractCalls {
  /** Default workspace (UUID) of calls. */
  readonly tenantId: string | undefined;
}
