import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { StoreInfoReader } from '#api/schema/store-info.ts';

const image = 'https://api.example/berries.webp';

describe('the store record', () => {
  it.each([
    ['an object', { Berries: image }],
    ['a Map', new Map([['Berries', image]])],
    ['pairs', [['Berries', image]]],
  ])('[spec 3.store.1] categoryImages may be %s', (_, categoryImages) => {
    expect(v.parse(StoreInfoReader, { categoryImages }).categoryImages.get('Berries')).toBe(image);
  });

  it('[spec 3.store.6] comes bare or wrapped in data', () => {
    expect(v.parse(StoreInfoReader, { data: { storeName: 'Stall' } }).storeName).toBe('Stall');
    expect(v.parse(StoreInfoReader, { storeName: 'Stall' }).storeName).toBe('Stall');
  });

  it.each(['categoryImages', 'policies'] as const)(
    '[fault 57] keys of %s that every object has pollute nothing and are names like any other',
    (field) => {
      const record = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"Berries":"${image}"}`;
      const spoiled = v.parse(
        StoreInfoReader,
        JSON.parse(`{"__proto__":{"polluted":1},"${field}":${record}}`),
      );
      expect([...spoiled[field]]).toEqual([['Berries', image]]);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect(Object.hasOwn(spoiled, 'polluted')).toBe(false);
      const named = `{"__proto__":"${image}","constructor":"${image}","prototype":"${image}","Berries":"${image}"}`;
      const kept = v.parse(StoreInfoReader, JSON.parse(`{"${field}":${named}}`))[field];
      expect([...kept.keys()]).toEqual(['__proto__', 'constructor', 'prototype', 'Berries']);
      expect([...new Set(kept.values())]).toEqual([image]);
    },
  );

  it.each([null, 'x', 7])('%j is no store record', (answer) => {
    expect(v.safeParse(StoreInfoReader, answer).success).toBe(false);
  });
});
