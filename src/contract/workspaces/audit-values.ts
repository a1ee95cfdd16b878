/** Commands import this file at start-up, so it imports no schema library. */

export const auditOutcomes = ["done", "refused", "failed"] as const;
