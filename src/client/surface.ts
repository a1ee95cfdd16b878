import type { ContractCalls } from "./calls.ts";
import type { ByteSource, CallOptions } from "./options.ts";
import type { Chat } from "./surface/chat.ts";
import type { Documents } from "./surface/documents.ts";
import type { ResourcesOf } from "./surface/resources.ts";
import type { SlugOf, TypeSources } from "./typed-records.ts";

/**
 * The client's whole surface, as types; the modules beside this one fill it.
 *
 * Whatever fails is a `CatalogError` (spec 7.1): E101 to E104 without a good sign-in, E201 when no
 * answer came, E202 for what is not there or not the caller's, E204 without the role, E205 for a
 * conflict, E302 with `problem.errors` for invalid data, E303 to E305 for input that is refused before
 * anything is sent, E203 for the rest. A refusal by the platform is a `PlatformError`, with `status`. An
 * aborted call rejects with the signal's own reason.
 */

/** What {@link Client.request} takes beside method and path. */
export interface RequestOptions extends CallOptions {
  /** Query parameters, in order; names may repeat. */
  readonly query?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly body?: string | Uint8Array | ByteSource | undefined;
  /** Default `application/json` where there is a body. */
  readonly contentType?: string | undefined;
}

/** `Types`: the Object Types that `useResources` knows, e.g. `typeof objectTypes`. */
export interface Client<Types extends TypeSources = TypeSources> extends ContractCalls {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Workspace (UUID) of calls that name none. */
  readonly tenantId: string | undefined;
  /** The same client for another workspace (UUID); connections and retry budget are shared. */
  forTenant(tenantId: string): Client<Types>;
  /**
   * Any v4 route, untyped (spec 4.7 `publicapi`). The path must start with `/v4/` and be in normal
   * form, else E305 before any network call. The response comes back with the status it has,
   * unread; `errorFromResponse` makes the error of one that is no success.
   *
   * ```ts
   * const response = await client.request("GET", "/v4/identity/me");
   * if (!response.ok) throw await errorFromResponse(response);
   * ```
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /**
   * Documents of a workspace (spec 4.1); default: the client's.
   *
   * ```ts
   * const documents = client.useDocuments();
   * const sent = await documents.upload({ filename: "plans.pdf", content }, { planningApplicationId });
   * const { outcome } = await documents.waitForJob((await sent.accepted()).jobId);
   * ```
   */
  useDocuments(tenantId?: string): Documents;
  /**
   * Records of one Object Type, by its exact stored slug (spec 4.2).
   *
   * ```ts
   * const licences = client.useResources("licence");
   * for await (const { data } of licences.all({ where: { status: "granted" } })) console.log(data);
   * ```
   */
  useResources<const Slug extends SlugOf<Types>>(
    objectType: Slug,
    options?: { readonly tenantId?: string | undefined },
  ): ResourcesOf<Types, Slug>;
  /**
   * Chat with a workflow; `stage` defaults to `chat` (spec 4.5).
   *
   * ```ts
   * for await (const event of client.useChat("planning-assistant").stream("When is it due?")) {
   *   if (event.type === "text") process.stdout.write(event.text);
   * }
   * ```
   */
  useChat(
    workflowId: string,
    options?: { readonly stage?: string | undefined; readonly tenantId?: string | undefined },
  ): Chat;
}
