/** Shown where a member-since date is missing or unreadable (spec 9). */
const MEMBER_SINCE_FALLBACK = 'April 18, 2025';

const memberSince = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: '2-digit',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
});

const orderDate = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
});

const moment = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'Asia/Kolkata',
});

const read = (iso: string | undefined): Date | undefined => {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** 'April 05, 2025' in Asia/Kolkata (resolutions 19). */
export function formatMemberSince(iso: string | undefined): string {
  const date = read(iso);
  return date ? memberSince.format(date) : MEMBER_SINCE_FALLBACK;
}

/** '12 November 2026' in Asia/Kolkata, or 'Not available'. */
export function formatOrderDate(iso: string): string {
  const date = read(iso);
  return date ? orderDate.format(date) : 'Not available';
}

/** '5 April 2025 at 3:30 pm' in Asia/Kolkata, or ''. */
export function formatMoment(iso: string): string {
  const date = read(iso);
  return date ? moment.format(date) : '';
}
