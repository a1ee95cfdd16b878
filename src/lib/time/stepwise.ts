/** Work in short parts, between which its caller may do other work. */
export type Stepwise<Result> = Generator<undefined, Result, undefined>;

/** The result of work whose parts all run now. */
export function atOnce<Result>(work: Stepwise<Result>): Result {
  for (;;) {
    const part = work.next();
    if (part.done === true) return part.value;
  }
}
