import type { Health } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";

export function useHealth(): LiveAnswer<Health> {
  return useAnswer(["health"], (client, signal) => client.health.resources({ signal }), {
    shown: true,
    anywhere: true,
  });
}
