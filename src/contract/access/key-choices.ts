/** The decisions about the keys of a member who is removed; commands load it without schemas. */
export const keyChoices = ["revoke", "keep"] as const;
export type KeyChoice = (typeof keyChoices)[number];
