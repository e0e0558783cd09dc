/*
 * Formats dates without `Intl`, because its first formatter costs a slow phone a tenth of a second.
 * India has one time zone and no daylight saving time.
 */

/** Shown if the date is missing or unreadable, as the specification says. */
const MEMBER_SINCE_FALLBACK = 'April 18, 2025';

const INDIA_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Returns undefined if the date is missing or unreadable. */
function inIndia(iso: string | undefined) {
  const local = new Date(Date.parse(iso ?? '') + INDIA_OFFSET_MS).toJSON() ?? '';
  const [, year, month, day, hours, minutes] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(local) ?? [];
  return month ? { year, month: MONTHS[Number(month) - 1], day, hours: Number(hours), minutes } : undefined;
}

/** 'April 05, 2025' in Asia/Kolkata. */
export function formatMemberSince(iso: string | undefined): string {
  const time = inIndia(iso);
  return time ? `${time.month} ${time.day}, ${time.year}` : MEMBER_SINCE_FALLBACK;
}

const dayOf = ({ day, month, year }: NonNullable<ReturnType<typeof inIndia>>): string =>
  `${Number(day)} ${month} ${year}`;

/** '12 November 2026' in Asia/Kolkata, or 'Not available'. */
export function formatOrderDate(iso: string): string {
  const time = inIndia(iso);
  return time ? dayOf(time) : 'Not available';
}

/** '5 April 2025 at 3:30 pm' in Asia/Kolkata, or ''. */
export function formatMoment(iso: string): string {
  const time = inIndia(iso);
  if (!time) return '';
  const { hours, minutes } = time;
  return `${dayOf(time)} at ${hours % 12 || 12}:${minutes} ${hours < 12 ? 'am' : 'pm'}`;
}

/** Returns the day in Asia/Kolkata, in days since 1 January 1970. @param at ms since 1970 */
export const indianDay = (at: number): number => Math.floor((at + INDIA_OFFSET_MS) / 86_400_000);

/** Returns when a day in Asia/Kolkata begins, in ms since 1970. @param day days since 1 January 1970 */
export const startOfIndianDay = (day: number): number => day * 86_400_000 - INDIA_OFFSET_MS;

const midnightOf = (day: string): string => `${day}T00:00:00+05:30`;

/** Returns when a day such as '2026-11-25' begins in Asia/Kolkata, in ms since 1970; NaN for another text. */
export const startOfDay = (day: string): number => Date.parse(midnightOf(day));

/** '25 November 2026' for '2026-11-25', and the days after it. */
export const formatDay = (day: string, daysLater = 0): string =>
  formatOrderDate(new Date(startOfDay(day) + daysLater * 86_400_000).toISOString());

/** '2026-11-25T18:00' in Asia/Kolkata, the format of `<input type="datetime-local">`. @param at ms since 1970 */
export const indianMinute = (at: number): string =>
  new Date(at + INDIA_OFFSET_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** '42 seconds', '53 minutes' or '2 hours'. Rounds up. */
export function waitText(seconds: number): string {
  if (seconds <= 1.5 * MINUTE) return `${Math.max(2, Math.ceil(seconds))} seconds`;
  if (seconds <= 1.5 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return `${Math.ceil(seconds / HOUR)} hours`;
}
