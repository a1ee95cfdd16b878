import type {
  BytesBody,
  BytesReply,
  EmptyReply,
  EventsReply,
  JsonBody,
  JsonReply,
  MultipartBody,
  RouteFacts,
} from "../route.ts";
import type { Shape } from "./shape.ts";

/** The definition with a place in the table's shapes for each schema. */
type Placed<Definition, Part extends keyof Definition> = Omit<Definition, Part> & {
  readonly [Name in Part]: number;
};

export type PlainBody = Placed<JsonBody, "schema"> | Placed<MultipartBody, "fields"> | BytesBody;
export type PlainReply =
  | Placed<JsonReply, "schema">
  | Placed<EventsReply, "schema">
  | BytesReply
  | EmptyReply;

/** A route as plain data; each number is the place of a shape. */
export interface PlainRoute extends RouteFacts {
  readonly params?: number;
  readonly query?: number;
  readonly body?: PlainBody;
  readonly reply: PlainReply;
  readonly events?: number;
  readonly alternative?: number;
}

/** The routes of one domain by their names. */
export type DomainRoutes = Readonly<Record<string, PlainRoute>>;

/** The routes of one domain, and the shapes that are loaded, whose places they name. */
export interface DomainTable {
  readonly routes: DomainRoutes;
  readonly shapes: readonly Shape[];
}
