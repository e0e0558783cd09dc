/** Allows `most` calls of a caller within a window. For the others it says how many seconds to wait. */
export function rateLimit(most: number, windowMs: number, now: () => number = Date.now) {
  const callers = new Map<string, { count: number; until: number }>();
  return (caller: string): { allowed: boolean; waitSeconds: number } => {
    const time = now();
    for (const [name, { until }] of callers) if (until <= time) callers.delete(name);
    const window = callers.get(caller) ?? { count: 0, until: time + windowMs };
    window.count += 1;
    callers.set(caller, window);
    return { allowed: window.count <= most, waitSeconds: Math.ceil((window.until - time) / 1000) };
  };
}
