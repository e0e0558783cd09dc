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

  it('waits no longer for what is too old to come', () => {
    const theirs = text(4, 5, 6, 1);
    const later = Array.from({ length: 60 }, (_, index) => text(9, 10 + index, 7));
    const known = [BEFORE, MINE, theirs];
    expect(redoLost(MINE, theirs, known, mangoes(4))).toBeUndefined();
    expect(redoLost(MINE, theirs, [...known, ...later], mangoes(4))).toEqual(mangoes(5));
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
