import type { LocationMatch } from "#contract/resources/geo.ts";
import type { PlaceOptions, PlaceQuery } from "./geo/places.ts";
import type { ReportFileOptions, ReportForm } from "./geo/reports.ts";
import type { ClientCalls } from "./calls.ts";
import type { ByteSource, CallOptions } from "./options.ts";
import type { Chat } from "./chat/chat.ts";
import type { Documents } from "./documents/documents.ts";
import type { ResourcesOf } from "./records/resources.ts";
import type { SlugOf, TypeSources } from "./records/typed-records.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { WatchOptions } from "./watch/watch.ts";

/**
 * The surface of the client, as types.
 *
 * Failures are `CatalogError`s (spec 7.1): E101 to E104 for sign-in, E201 without a response, E202
 * for missing or foreign things, E204 for a missing role, E205 for a conflict, E302 with
 * `problem.errors` for invalid data, E303 to E305 for invalid input (before anything is sent), E203
 * for the rest. A refusal by the platform is a `PlatformError` with `status`. An aborted call
 * rejects with the signal's reason.
 */

/** Options of a call of {@link Client.request}. */
export interface RequestOptions extends CallOptions {
  /** Query parameters, in order; names may repeat. */
  readonly query?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly body?: string | Uint8Array | ByteSource | undefined;
  /** Media type of the body; default `application/json`. */
  readonly contentType?: string | undefined;
}

/** `Types`: the Object Types that `useResources` knows, e.g. `typeof objectTypes`. */
export interface Client<Types extends TypeSources = TypeSources> extends ClientCalls {
  /** The platform's address, without a trailing slash. */
  readonly baseUrl: string;
  /** A client for another workspace (UUID), with the same connections and retry budget. */
  forTenant(tenantId: string): Client<Types>;
  /**
   * Calls any v4 path, untyped (spec 4.7 `publicapi`). The path must start with `/v4/` and be in
   * normal form, else E305. Returns the unread response with any status; `errorFromResponse`
   * returns its error.
   *
   * ```ts
   * const response = await client.request("GET", "/v4/identity/me");
   * if (!response.ok) throw await errorFromResponse(response);
   * ```
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /**
   * Follows the changes of the client's workspace, also in browsers; each event is yielded at least
   * once, and a break is continued from the last one. After `svc.feed.reset` it ends: read the
   * lists in its `data.resources` again, and watch from its `data.cursor`.
   *
   * ```ts
   * const { items, feedCursor } = await client.useResources("licence").list();
   * for await (const { type, subject } of client.watch({ types: ["licence"], cursor: feedCursor }))
   *   console.log(type, subject);
   * ```
   */
  watch(options?: WatchOptions): AsyncGenerator<CloudEvent, void, undefined>;
  /**
   * The places that a text, or a point as `[longitude, latitude]`, may mean: records of the
   * workspace with a geopoint or geometry, then countries, areas, places and postcodes; best first.
   *
   * ```ts
   * const [best] = await client.places("Newcastle, NSW");
   * console.log(best?.name, best?.areas?.map(({ name }) => name).join(", "));
   * ```
   */
  places(query: PlaceQuery, options?: PlaceOptions): Promise<LocationMatch[]>;
  /**
   * A report by place as GeoJSON, CSV or a map as SVG: the unread response. `result` names a
   * stored result instead of a run. `geoReports.run` has its rows.
   *
   * ```ts
   * console.log(await (await client.reportFile("trees-by-ward", "csv")).text());
   * ```
   */
  reportFile(report: string, form: ReportForm, options?: ReportFileOptions): Promise<Response>;
  /**
   * Documents of a workspace (spec 4.1; default: the client's).
   *
   * ```ts
   * const documents = client.useDocuments();
   * const file = { filename: "plans.pdf", content };
   * const sent = await documents.upload(file, { planningApplicationId });
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
   * Chat with a workflow; `stage` defaults to `chat` (spec 4.5). Each message may name another
   * workflow and stage.
   *
   * ```ts
   * for await (const event of client.useChat("planning-assistant").stream("When is it due?")) {
   *   if (event.type === "text") process.stdout.write(event.text);
   * }
   * ```
   */
  useChat(
    workflowId?: string,
    options?: { readonly stage?: string | undefined; readonly tenantId?: string | undefined },
  ): Chat;
}
