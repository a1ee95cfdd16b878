const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a share (0 to 1) of `width` columns, in eighths; always visible above 0. */
export function barText(share: number, width: number): string {
  if (share <= 0) return "";
  const steps = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  return "█".repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? "");
}
