const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How long after its start an open payment is asked for at its provider, and from then on once a day (faults 112). In ms. */
const ASKED_AFTER = [2 * MINUTE, 10 * MINUTE, 60 * MINUTE];

export const firstAsk = (): number => nextAsk(0);

/** The time from one question to the next, in ms. @param asked how often it was asked for until now */
export const nextAsk = (asked: number): number => {
  const after = ASKED_AFTER[asked];
  return after === undefined ? DAY : after - (ASKED_AFTER[asked - 1] ?? 0);
};
