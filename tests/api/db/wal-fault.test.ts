import { describe, expect, it } from 'vitest';
import { hasWalFault, openDatabase } from '#scripts/api/db/open-database.ts';
import type { LogFields } from '#scripts/program/log.ts';

describe('an SQLite that can corrupt a file that two processes write', () => {
  it.each(['3.7.0', '3.44.5', '3.45.0', '3.46.1', '3.49.2', '3.50.6', '3.51.0', '3.51.2'])(
    '%s is one',
    (version) => {
      expect(hasWalFault(version)).toBe(true);
    },
  );

  it.each(['3.6.23', '3.44.6', '3.44.7', '3.50.7', '3.51.3', '3.51.4', '3.52.0', '3.53.4', '4.0.0', ''])(
    '%s is none',
    (version) => {
      expect(hasWalFault(version)).toBe(false);
    },
  );

  it('is opened all the same, with a warning in the log', async () => {
    const warned: unknown[] = [];
    const log = (...line: [level: string, event: string, fields?: LogFields]) => warned.push(line);
    await (await openDatabase(':memory:', log)).close();
    expect(warned).toEqual([]);
    await (await openDatabase(':memory:', log, '3.51.2')).close();
    expect(warned).toEqual([['warn', expect.stringContaining('two processes'), { sqlite: '3.51.2' }]]);
  });
});
