import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMemberSince, formatMoment, formatOrderDate, waitText } from '#domain/date.ts';

it.each([undefined, '', 'yesterday', '2025-13-45'])('[spec 9.dates.2] %j shows the fallback', (date) => {
  expect(formatMemberSince(date)).toBe('April 18, 2025');
});

it('[spec 3.order.5] an order without a readable date shows Not available', () => {
  expect(formatOrderDate('')).toBe('Not available');
  expect(formatMoment('soon')).toBe('');
  expect(formatOrderDate('2026-11-11T20:00:00Z')).toBe('12 November 2026');
});

it('[spec 9.dates.1] agrees with Intl for every time since 1950', () => {
  expect(formatMemberSince('2025-04-04T20:00:00Z')).toBe('April 05, 2025');
  const timeZone = 'Asia/Kolkata';
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone } as const;
  const member = new Intl.DateTimeFormat('en-US', { ...day, day: '2-digit' });
  const order = new Intl.DateTimeFormat('en-IN', day);
  const moment = new Intl.DateTimeFormat('en-IN', { ...day, hour: 'numeric', minute: '2-digit' });
  const dates = fc.date({
    min: new Date('1950-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, (date) => {
      const iso = date.toISOString();
      expect(formatMemberSince(iso)).toBe(member.format(date));
      expect(formatOrderDate(iso)).toBe(order.format(date));
      expect(formatMoment(iso)).toBe(moment.format(date));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  [0, '2 seconds'],
  [41.2, '42 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [3_180, '53 minutes'],
  [3_181, '54 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [86_400, '24 hours'],
])('%d s are %s', (seconds, text) => expect(waitText(seconds)).toBe(text));
