import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { WireStoreInfo } from '#api/schema/store-info.ts';

const image = 'https://api.example/berries.webp';

describe('the store record', () => {
  it.each([
    ['an object', { Berries: image }],
    ['a Map', new Map([['Berries', image]])],
    ['pairs', [['Berries', image]]],
  ])('[spec 3.store.1] categoryImages may be %s', (_, categoryImages) => {
    expect(v.parse(WireStoreInfo, { categoryImages }).categoryImages.get('Berries')).toBe(image);
  });

  it('[spec 3.store.6] comes bare or wrapped in data', () => {
    expect(v.parse(WireStoreInfo, { data: { storeName: 'Stall' } }).storeName).toBe('Stall');
    expect(v.parse(WireStoreInfo, { storeName: 'Stall' }).storeName).toBe('Stall');
  });

  it('[fault 14] [fault 57] odd fields take their default and pollute nothing', () => {
    const store = v.parse(
      WireStoreInfo,
      JSON.parse('{"storeName":7,"categories":"x","policies":{"__proto__":"x"}}'),
    );
    expect(store).toMatchObject({ storeName: '', categories: [] });
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it.each([null, 'x', 7])('%j is no store record', (answer) => {
    expect(v.safeParse(WireStoreInfo, answer).success).toBe(false);
  });
});
