import { AnswerBudget } from "#server/kit/answer-budget.ts";
import { expect } from "vitest";
import * as z from "zod";
import { json, replies, type RouteDefinition } from "#contract/route.ts";
import type { Context } from "#server/http/handler.ts";
import { endpointOf, type HandlerCall } from "#server/http/routing/endpoint.ts";
import { Pipeline, type PipelineParts } from "#server/http/pipeline.ts";
import { defaultLimits, type Limits } from "#server/kit/limits.ts";
import type { LogEvent } from "#server/platform.ts";
import { problemOf as problemFor } from "#server/domains/storage-problems.ts";
import { Router } from "#server/http/routing/router.ts";

export const note = z.object({ text: z.string().optional(), version: z.int().optional() });
const base = {
  path: "/v4/notes",
  summary: "",
  source: "",
  access: "public",
  workspace: "none",
} as const;
export const getNote = { ...base, method: "GET", reply: replies(note) } as const;
export const putNote = {
  ...base,
  method: "PUT",
  body: json(note),
  reply: replies(note),
} as const;

export type Body = NonNullable<RequestInit["body"]>;

export interface Running {
  readonly log: LogEvent[];
  readonly pipeline: Pipeline;
  readonly drain: () => void;
  send(method?: string, headers?: Record<string, string>, body?: Body): Promise<Response>;
}

/** The route of these tests reads and writes nothing. */
function noWork(): never {
  throw new TypeError("this pipeline has no database");
}

/** A pipeline with one route, which accepts every caller. */
const admin = { role: "tenant-admin", name: "tenant-admin", permissions: undefined } as const;

export function running(
  definition: RouteDefinition,
  handler: (call: HandlerCall, context: Context) => unknown,
  limits: Partial<Limits> = {},
  streamSpreadMs = 0,
): Running {
  const log: LogEvent[] = [];
  const draining = new AbortController();
  const parts: PipelineParts = {
    router: new Router([endpointOf("notes.one", definition, handler)]),
    guard: { check: () => {} },
    rates: { take: () => {} },
    tokens: {
      verify: () => ({ oid: "o", email: "e", displayName: "d", systemAdmin: false }),
    },
    access: { heldIn: () => admin, isChildOf: () => false, heldInDeletedToo: async () => admin },
    idempotency: { claim: () => Promise.reject(new Error("no key was sent")) },
    quotas: { areOff: true, admit: async () => undefined },
    works: { forRequest: () => noWork() },
    limits: { ...defaultLimits, jsonBodyBytes: 1000, ...limits },
    answers: new AnswerBudget(defaultLimits.answerBytes),
    logger: { info: () => {}, warn: () => {}, error: (event) => log.push(event) },
    draining: draining.signal,
    streamSpreadMs: () => streamSpreadMs,
    baseUrl: () => "http://platform.test",
    problemOf: problemFor,
    pages: () => undefined,
  };
  const pipeline = new Pipeline(parts);
  return {
    log,
    pipeline,
    drain: () => draining.abort(),
    send: (method = definition.method, headers = {}, body?) => {
      const init: RequestInit = { method, headers };
      if (body !== undefined) init.body = body;
      return pipeline.fetch(new Request("http://platform.test/v4/notes", init));
    },
  };
}

export async function problemOf(response: Response): Promise<unknown> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return response.json();
}
