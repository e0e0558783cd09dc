// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToBytes, firstWithinBytes } from '#domain/page-bytes.ts';

describe('what a text weighs in a page', () => {
  it.each([
    ['mangoes', 5, 'mango'],
    ['आम आम', 7, 'आम '],
    ['🥭🥭', 7, '🥭'],
    ['a<b', 7, 'a'],
    ['short', 5, 'short'],
  ])('[fault 62] of %s %i bytes are %j', (value, limit, cut) => {
    expect(cutToBytes(value, limit)).toBe(cut);
  });

  it('[fault 62] never exceeds the limit, cuts no character in two, and leaves what fits', () => {
    /** As it stands in an attribute that holds JSON, where it takes most. */
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

  it('[fault 62] of texts as many stay as fit together', () => {
    expect(firstWithinBytes(['आम', 'mango', 'kiwi'], 11)).toEqual(['आम', 'mango']);
    expect(firstWithinBytes(['आम', 'mango'], 11)).toEqual(['आम', 'mango']);
    expect(firstWithinBytes([], 1)).toEqual([]);
  });
});
