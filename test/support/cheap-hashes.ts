import type { password } from "bun";

type Hash = typeof password.hash;

const original: Hash = Bun.password.hash.bind(Bun.password);

/** Argon2id at its least cost: at that of the platform, hashes take half of a sign-in's test. */
const cheapHash: Hash = (text, algorithm) =>
  typeof algorithm === "object" && algorithm.algorithm === "argon2id"
    ? original(text, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 })
    : original(text, algorithm);

Bun.password.hash = cheapHash;
