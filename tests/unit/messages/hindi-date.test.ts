import { expect, test } from 'vitest';
import { formatMemberSince, formatMoment, formatOrderDate } from '#domain/date.ts';
import { hindiDate } from '#messages/hindi-date.ts';

const plain = (text: string): string => text.replace(/\s+/g, ' ');

test.each([
  [formatMemberSince('2025-04-05T10:00:00Z'), '05 अप्रैल 2025'],
  [formatMemberSince(undefined), '18 अप्रैल 2025'],
  [formatOrderDate('2026-11-12T10:00:00Z'), '12 नवंबर 2026'],
  [formatMoment('2025-04-05T10:00:00Z'), '5 अप्रैल 2025, दोपहर 3:30 बजे'],
  [formatMoment('2025-04-05T18:40:00Z'), '6 अप्रैल 2025, रात 12:10 बजे'],
  [formatMoment('2025-04-05T01:40:00Z'), '5 अप्रैल 2025, सुबह 7:10 बजे'],
])('the shop’s date %j is known', (english, hindi) => expect(hindiDate(plain(english))).toBe(hindi));

test.each(['Alphonso Mango', '12 Mangoes 2026', 'April', '12 November', '5 April 2025 at noon'])(
  '%j is no date',
  (text) => expect(hindiDate(text)).toBeUndefined(),
);
