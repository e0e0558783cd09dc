// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { escapeMarkup } from '#domain/markup.ts';

const HOSTILE = `<b title="x" id='y'>&amp; & ₹ </b><!-- ]]> -->`;

test.each(['text/html', 'application/xml'] as const)('[fault 47] text stays text in %s', (type) => {
  const source = `<p title="${escapeMarkup(HOSTILE)}" lang='${escapeMarkup(HOSTILE)}'>${escapeMarkup(HOSTILE)}</p>`;
  const paragraph = new DOMParser().parseFromString(source, type).querySelector('p');
  expect(paragraph?.childElementCount).toBe(0);
  expect([paragraph?.textContent, paragraph?.getAttribute('title')]).toEqual([HOSTILE, HOSTILE]);
  expect(paragraph?.getAttribute('lang')).toBe(HOSTILE);
});
