import { describe, expect, it } from 'vitest';
import { statesOfPin, suggestedStates, tidyPin } from '#domain/pin-code.ts';
import { PIN_STATES } from '#domain/pin-states.ts';

describe('a PIN code', () => {
  it.each([
    ['411001', '411001'],
    ['411 001', '411001'],
    ['411-001', '411001'],
    ['४११००१', '411001'],
    ['४११ ००१', '411001'],
    ['011001', '011001'],
    ['41100', '41100'],
    ['4110011', '4110011'],
    ['near 411001', 'near 411001'],
    ['', ''],
  ])('%j is kept as %j', (typed, kept) => expect(tidyPin(typed)).toBe(kept));

  it.each([
    ['411001', ['Maharashtra']],
    ['४११ ००१', ['Maharashtra']],
    ['403001', ['Goa']],
    ['110001', ['Delhi']],
    ['737101', ['Sikkim']],
    ['560001', ['Karnataka']],
    ['826001', ['Bihar', 'Jharkhand']],
    ['990001', []],
    ['4110', []],
    ['constructor', []],
  ])('%j belongs to %j', (pin, states) => expect(statesOfPin(pin, PIN_STATES)).toEqual(states));

  it('suggests nothing once one of its states is typed', () => {
    expect(suggestedStates(['Maharashtra'], ' maharashtra ')).toEqual([]);
    expect(suggestedStates(['Jammu and Kashmir'], 'Jammu & Kashmir')).toEqual([]);
    expect(suggestedStates(['Goa'], '')).toEqual(['Goa']);
    expect(suggestedStates(['Goa'], 'Kerala')).toEqual(['Goa']);
  });

  it('has a table of two or three digits each, and no state without a name', () => {
    for (const [digits, states] of Object.entries(PIN_STATES)) {
      expect(digits).toMatch(/^[1-9]\d{1,2}$/);
      expect(states.every((state) => /^[A-Z][A-Za-z ]+$/.test(state))).toBe(true);
      expect(states.length).toBeGreaterThan(0);
    }
  });
});
