import type { Routes } from "./index.ts";
import { contractTable } from "./plain/table.ts" with { type: "macro" };
import type { ContractTable, PlainRoute } from "./plain/plain-route.ts";
import type { Shape } from "./plain/shape.ts";

/** Each route of the contract as plain data. */
export type RouteTable = {
  readonly [Domain in keyof Routes]: { readonly [Name in keyof Routes[Domain]]: PlainRoute };
};

const table: { readonly routes: RouteTable & ContractTable["routes"]; shapes: readonly Shape[] } =
  JSON.parse(contractTable());

/** The contract without its schemas, which takes a millisecond to load. */
export const routeTable: RouteTable & ContractTable["routes"] = table.routes;
export const shapes: readonly Shape[] = table.shapes;

/** Names of the members that a route's JSON answer may have. */
export function replyMembers({ reply }: PlainRoute): readonly string[] {
  return "schema" in reply ? membersAt(reply.schema) : [];
}

/** Names of the text fields that a route's form may have. */
export function formFields({ body }: PlainRoute): readonly string[] {
  return body?.type === "multipart" ? membersAt(body.fields) : [];
}

function membersAt(place: number): readonly string[] {
  const shape = shapes[place];
  return shape?.is === "object" ? Object.keys(shape.members) : [];
}
