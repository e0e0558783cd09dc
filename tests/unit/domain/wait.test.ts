import { expect, it } from 'vitest';
import { waitText } from '#domain/wait.ts';

it.each([
  [0, '2 seconds'],
  [41.2, '42 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [3_180, '53 minutes'],
  [3_181, '54 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [86_400, '24 hours'],
])('[fault 41] %d s are %s', (seconds, text) => expect(waitText(seconds)).toBe(text));
