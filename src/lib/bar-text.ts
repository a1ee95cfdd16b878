const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/**
 * A bar for a share (0 to 1) of the longest bar, which has `width` columns, in steps of an eighth
 * of a column. A share above 0 is always visible.
 */
export function barText(share: number, width: number): string {
  if (share <= 0) return "";
  const steps = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  return "█".repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? "");
}
