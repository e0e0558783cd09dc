// @vitest-environment jsdom

import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { scriptJson } from '#components/product/structured-data.ts';
import { cutToBytes, firstWithinBytes } from '#domain/page-bytes.ts';
import { escapeMarkup } from '#domain/text.ts';

const HOSTILE = `<b title="x" id='y'>&amp; & ₹ </b><!-- ]]> -->`;

test.each(['text/html', 'application/xml'] as const)('text is escaped in %s', (type) => {
  const source = `<p title="${escapeMarkup(HOSTILE)}" lang='${escapeMarkup(HOSTILE)}'>${escapeMarkup(HOSTILE)}</p>`;
  const paragraph = new DOMParser().parseFromString(source, type).querySelector('p');
  expect(paragraph?.childElementCount).toBe(0);
  expect([paragraph?.textContent, paragraph?.getAttribute('title')]).toEqual([HOSTILE, HOSTILE]);
  expect(paragraph?.getAttribute('lang')).toBe(HOSTILE);
});

test.each(['</script><script>alert(1)', '<!--', '\u2028\u2029', '"\\', '🍊'])(
  '%j cannot end its script, and parses back equal',
  (text) => {
    const json = scriptJson({ text });
    expect(json).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual({ text });
  },
);

it.each([
  ['mangoes', 5, 'mango'],
  ['आम आम', 7, 'आम '],
  ['🥭🥭', 7, '🥭'],
  ['a<b', 7, 'a'],
  ['short', 5, 'short'],
])('the bytes of %s %i bytes are %j', (value, limit, cut) => expect(cutToBytes(value, limit)).toBe(cut));

it('a cut text never exceeds the limit, splits no character, and does not change texts that fit', () => {
  /** Escaped for an attribute that holds JSON, which takes the most bytes. */
  const inPage = (text: string) => {
    const element = document.createElement('p');
    element.title = JSON.stringify(text).slice(1, -1);
    return new TextEncoder().encode(element.outerHTML.slice('<p title="'.length, -'"></p>'.length)).length;
  };
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(200), (value, limit) => {
      const cut = cutToBytes(value, limit);
      expect(value.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(value.slice(0, cut.length).isWellFormed());
      expect(inPage(cut)).toBeLessThanOrEqual(limit);
    }),
  );
});

it('returns the first texts that fit together', () => {
  expect(firstWithinBytes(['आम', 'mango', 'kiwi'], 11)).toEqual(['आम', 'mango']);
  expect(firstWithinBytes(['आम', 'mango'], 11)).toEqual(['आम', 'mango']);
  expect(firstWithinBytes([], 1)).toEqual([]);
});
