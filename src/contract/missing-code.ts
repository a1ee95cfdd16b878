/** True if a problem's code, e.g. `not-found`, says that the route found nothing. */
export function namesMissing(code: unknown): boolean {
  // Other deployments have codes in other forms, which say nothing about the route.
  const isOurs = typeof code === "string" && /^[a-z]+(?:-[a-z]+)+$/.test(code);
  return isOurs && code !== "route-not-found";
}
