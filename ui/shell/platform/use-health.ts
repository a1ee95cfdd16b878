import type { Health } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";

const refreshMs = 10_000;

export function useHealth(): LiveAnswer<Health> {
  return useAnswer(["health"], (client, signal) => client.health.resources({ signal }), {
    refreshMs,
    anywhere: true,
  });
}
