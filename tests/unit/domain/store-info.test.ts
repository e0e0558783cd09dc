import { describe, expect, it } from 'vitest';
import {
  categoryImage,
  displayName,
  FALLBACK_CATEGORIES,
  headerCategories,
  homeCategories,
} from '#domain/store-info.ts';

describe('store record', () => {
  it('is named by the store, else the company, else Fresh Fruits', () => {
    expect(displayName({ storeName: 'Stall', companyName: 'Company' })).toBe('Stall');
    expect(displayName({ storeName: '', companyName: 'Company' })).toBe('Company');
    expect(displayName({ storeName: '', companyName: '' })).toBe('Fresh Fruits');
  });

  it('[spec 3.store.2] shows three home categories, the defaults where the store has none', () => {
    expect(homeCategories({ categories: [] })).toEqual(['Tropical Fruits', 'Citrus Fruits', 'Berries']);
    expect(homeCategories({ categories: ['A', 'B', 'C', 'D'] })).toEqual(['A', 'B', 'C']);
  });

  it('[spec 3.store.3, 2.header.3, 2.header.4] links three menu categories, the defaults where the store has none', () => {
    expect(headerCategories({ categories: [] })).toEqual(['men', 'women', 'accessories']);
    expect(headerCategories({ categories: ['A', 'B', 'C', 'D'] })).toEqual(['A', 'B', 'C']);
  });

  it('[spec 3.store.4] without a record the categories are Accessories', () => {
    expect(headerCategories({ categories: FALLBACK_CATEGORIES })).toEqual(['Accessories']);
  });

  it('[spec 3.store.5] a category without an image has the default one, or none', () => {
    const categoryImages = new Map([
      ['Berries', 'berries.webp'],
      ['Melons', ''],
      ['default', 'fruit.webp'],
    ]);
    expect(categoryImage({ categoryImages }, 'Berries')).toBe('berries.webp');
    expect(categoryImage({ categoryImages }, 'Melons')).toBe('fruit.webp');
    expect(categoryImage({ categoryImages }, 'Citrus')).toBe('fruit.webp');
    expect(categoryImage({ categoryImages: new Map() }, 'Citrus')).toBe('');
  });
});
