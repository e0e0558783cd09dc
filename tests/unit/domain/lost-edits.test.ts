import { describe, expect, it } from 'vitest';
import type { Cart } from '#domain/cart.ts';
import { redoLost } from '#domain/lost-edits.ts';
import { cartLine } from '#tests/support/cart-line.ts';

const mangoes = (quantity: number): Cart => [cartLine({ id: 'mango', quantity })];

/** A stored cart, with its number and those of what it was made from; 0 is no cart. */
const text = (quantity: number, ...numbers: number[]): string =>
  [JSON.stringify(mangoes(quantity)), ...numbers.map((number) => ' '.repeat(number + 1))].join('\n');

const BEFORE = text(1, 1, 0);
const MINE = text(2, 2, 1);

describe('[fault 29] an edit that another tab wrote over', () => {
  it('is done again where that had not heard of it', () => {
    const theirs = text(4, 5, 1);
    expect(redoLost(MINE, theirs, [BEFORE, MINE, theirs], mangoes(4))).toEqual(mangoes(5));
  });

  it('is not done twice: what their cart was made from may be on its way', () => {
    const heard = text(3, 3, 2);
    const beside = text(2, 4, 1);
    const theirs = text(4, 5, 3, 4);
    const cart = mangoes(4);
    expect(redoLost(MINE, theirs, [BEFORE, MINE, beside, theirs], cart)).toBeUndefined();
    expect(redoLost(MINE, theirs, [BEFORE, MINE, beside, theirs, heard], cart)).toBe(cart);
  });

  it('waits no longer for what is too old to come: fifty texts later', () => {
    const theirs = text(4, 5, 6, 1);
    const later = Array.from({ length: 49 }, (_, index) => text(9, 10 + index, 7));
    const known = [BEFORE, MINE, theirs];
    expect(redoLost(MINE, theirs, known, mangoes(4))).toBeUndefined();
    expect(redoLost(MINE, theirs, [BEFORE, theirs, MINE], mangoes(4))).toBeUndefined();
    expect(redoLost(MINE, theirs, [...known, ...later.slice(1)], mangoes(4))).toBeUndefined();
    expect(redoLost(MINE, theirs, [...known, ...later], mangoes(4))).toEqual(mangoes(5));
  });

  it('does not wait for what the first cart of the page was made from', () => {
    const first = text(1, 1, 9);
    const theirs = text(4, 5, 1);
    expect(redoLost(MINE, theirs, [first, MINE, theirs], mangoes(4))).toEqual(mangoes(5));
  });

  it('is done again where both began the cart', () => {
    const [mine, theirs] = [text(2, 2, 0), text(3, 3, 0)];
    expect(redoLost(mine, theirs, [mine, theirs], mangoes(3))).toEqual(mangoes(5));
  });

  it('is every edit that they had not heard of, once, and no sum of two', () => {
    const theirs = text(10, 5, 1);
    const third = text(3, 3, 2);
    const fourth = text(4, 4, 2);
    const sum = text(5, 9, 3, 4);
    const known = [BEFORE, MINE, third, fourth, sum, theirs];
    expect(redoLost(sum, theirs, known, mangoes(10))).toEqual(mangoes(10 + 1 + 1 + 2));
  });

  it('waits where it does not lead to what both come from', () => {
    const mine = text(2, 2, 8);
    const theirs = text(4, 5, 1);
    expect(redoLost(mine, theirs, [BEFORE, mine, theirs], mangoes(4))).toBeUndefined();
  });

  it('stays undone where the page knows it no more', () => {
    const theirs = text(4, 5, 1);
    const cart = mangoes(4);
    expect(redoLost(MINE, theirs, [BEFORE, theirs], cart)).toBe(cart);
  });

  it('[fault 32] stays undone where somebody removed the cart or wrote another', () => {
    const cart = mangoes(1);
    for (const present of ['', '[]', JSON.stringify(mangoes(7))])
      expect(redoLost(MINE, present, [BEFORE, MINE, present], cart)).toBe(cart);
  });

  it('is done at the price that the cart has by now', () => {
    const theirs = text(4, 5, 1);
    const dearer: Cart = mangoes(4).map((line) => ({ ...line, price: line.price + 10 }));
    expect(redoLost(MINE, theirs, [BEFORE, MINE, theirs], dearer)).toEqual([{ ...dearer[0], quantity: 5 }]);
  });

  it('is done again whatever a name has in it', () => {
    const theirs = text(4, 5, 1).replace('"name":"', '"name":"\u2028');
    expect(redoLost(MINE, theirs, [BEFORE, MINE, theirs], mangoes(4))).toEqual(mangoes(5));
  });
});
