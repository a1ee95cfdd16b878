import { Refusal } from "#contract/problems.ts";

export function answerRuns(): Refusal {
  return new Refusal("conflict", {
    detail: "An answer of this conversation is being written: wait for its end, or stop it",
  });
}

export function tooManyAnswers(count: number): Refusal {
  return new Refusal("rate-limited", {
    detail: `You have ${count} running answers: wait for one of them`,
  });
}
