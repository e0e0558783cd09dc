const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** '42 seconds', '53 minutes' or '2 hours'. Rounds up. */
export function waitText(seconds: number): string {
  if (seconds <= 1.5 * MINUTE) return `${Math.max(2, Math.ceil(seconds))} seconds`;
  if (seconds <= 1.5 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return `${Math.ceil(seconds / HOUR)} hours`;
}
