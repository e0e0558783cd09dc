import * as v from 'valibot';
import { expect, test } from 'vitest';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { describedStore } from '#catalogue/described-store.ts';

test.each([
  ['https://news.example/join', 'https://news.example/join'],
  ['http://news.example/join', ''],
  ['javascript:alert(1)', ''],
  ['join us', ''],
])('leads to the newsletter page %s of a store record as %j', (newsletterUrl, shown) => {
  expect(describedStore(v.parse(StoreInfoReader, { newsletterUrl })).newsletterUrl).toBe(shown);
});
