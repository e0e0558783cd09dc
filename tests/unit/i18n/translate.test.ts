import { expect, test } from 'vitest';
import { formatMemberSince, formatMoment, formatOrderDate } from '#domain/date.ts';
import { hindiDate } from '#domain/hindi-date.ts';
import { formatRupees } from '#domain/money.ts';
import { createTranslator } from '#i18n/translate.ts';

const MESSAGES = {
  Home: 'होम',
  'View cart': 'कार्ट देखें',
  '{count} items': '{count} आइटम',
  'Cart, {items}': 'कार्ट, {items}',
  'Showing {from}–{to} of {total}': 'कुल {total} में से {from}–{to}',
  'Remove {name} from cart': '{name} को कार्ट से हटाएँ',
  '{name}, {number} of {total}': '{name}, {total} में से {number}',
  'Show {field}': '{field} दिखाएँ',
  'Show {count} products': '{count} प्रोडक्ट दिखाएँ',
  '{page} | {store}': '{page} | {store}',
  gone: '',
};
const translate = createTranslator([MESSAGES]);

test.each([
  ['Home', 'होम'],
  ['  View\n   cart ', '  कार्ट देखें '],
  ['3 items', '3 आइटम'],
  ['Cart, 99+ items', 'कार्ट, 99+ आइटम'],
  ['Showing 1–12 of 1,043', 'कुल 1,043 में से 1–12'],
  ['Remove Alphonso Mango from cart', 'Alphonso Mango को कार्ट से हटाएँ'],
  ['Mango, box of 6, 1 of 2', 'Mango, box of 6, 2 में से 1'],
  ['Show 12 products', '12 प्रोडक्ट दिखाएँ'],
  ['Show your pin', 'your pin दिखाएँ'],
  ['Remove Home from cart', 'Home को कार्ट से हटाएँ'],
  ['Home | Fresh Fruits', 'होम | Fresh Fruits'],
  ['gone', ''],
])('translates %j', (english, hindi) => expect(translate(english)).toBe(hindi));

test.each([
  ...['Alphonso Mango', 'Show Piece Elephant', 'home', 'many items', 'Remove from cart'],
  ...['Remove  from cart'],
  formatRupees(120),
  '',
  ' ',
  'x'.repeat(600),
])('does not translate %j', (text) => expect(translate(text)).toBe(text));

test('a translator inserts values unchanged', () => {
  expect(translate('Remove $& {name} \\1 from cart')).toBe('$& {name} \\1 को कार्ट से हटाएँ');
});

test('a translator is quick for any text', () => {
  // A runaway pattern would never end.
  for (let index = 0; index < 2_000; index += 1) {
    expect(translate(`${'Show {count} | '.repeat(30)}${index}`)).toContain(String(index));
  }
});

test('a translator uses the function for texts that cannot be listed', () => {
  const withDates = createTranslator([MESSAGES], (text) => (text === 'today' ? 'आज' : undefined));
  expect(withDates('today | Home')).toBe('आज | होम');
});

const plain = (text: string): string => text.replace(/\s+/g, ' ');

test.each([
  [formatMemberSince('2025-04-05T10:00:00Z'), '05 अप्रैल 2025'],
  [formatMemberSince(undefined), '18 अप्रैल 2025'],
  [formatOrderDate('2026-11-12T10:00:00Z'), '12 नवंबर 2026'],
  [formatMoment('2025-04-05T10:00:00Z'), '5 अप्रैल 2025, दोपहर 3:30 बजे'],
  [formatMoment('2025-04-05T18:40:00Z'), '6 अप्रैल 2025, रात 12:10 बजे'],
  [formatMoment('2025-04-05T01:40:00Z'), '5 अप्रैल 2025, सुबह 7:10 बजे'],
])('translates the date %j', (english, hindi) => expect(hindiDate(plain(english))).toBe(hindi));

test.each(['Alphonso Mango', '12 Mangoes 2026', '12 November', '5 April 2025 at noon'])(
  '%j is not a date',
  (text) => expect(hindiDate(text)).toBeUndefined(),
);
