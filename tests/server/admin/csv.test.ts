import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CsvError, csvLine, readCsv } from '#server/admin/csv.ts';

describe('CSV', () => {
  it('reads back what it writes, with formulas as plain texts', async () => {
    const rows = [
      ['=1+1', '+1', '-1', '@x', '\tx', "'quoted"],
      ['a;=HYPERLINK("x")', "b; '@c", "d;'=1", 'e\n-f', '5;6', 'g\t＝1'],
      ['a "b" c', 'x,y;z\tw', 'line\nbreak', ' spaces ', '', '₹'],
    ];
    const text = rows.map(csvLine).join('');
    expect((await readCsv(text, 9)).map(({ cells: read }) => read)).toEqual(rows);
    expect(text).toContain(`"'=1+1"`);
    expect(text).not.toMatch(/[;\t\n]\s*[=+@＝-]/);
  });

  it('keeps spreadsheets from reading a text as a number, a date or a truth', async () => {
    const texts = [
      ...['0411001', '000123', '123456789012', '12345678901234567890', '1e5', '12E-3', '10.50', '1,234'],
      ...['(5)', '12/3', '1-2', '3.4.2026', '2026-01-05', '2026-01-05T15:30', '15:30', '5 May', 'Dec-12'],
      ...['march 2026', '10 september 2026', '3 pm', '5%', '₹500', '$5', ' 007', 'true', 'FALSE', '#N/A'],
      ...['#REF!', 'MAY-1001'],
    ];
    const kept = [
      ...[
        '411001',
        '0',
        '12345678901',
        'FF-1042-7K3Q',
        '27AAPFU0939F1ZV',
        '7 Up',
        'XL',
        '12 MG Road',
        '·',
        'e',
      ],
    ];
    const text = csvLine([...texts, ...kept]);
    for (const each of texts) expect(text).toContain(`"'${each}"`);
    for (const each of kept) expect(text).toContain(`"${each}"`);
    expect((await readCsv(text, 1))[0]?.cells).toEqual([...texts, ...kept]);
    expect(csvLine([{ plain: '1798.00' }, { plain: '2026-01-05 15:30' }])).not.toContain("'");
  });

  it.each([',', ';', '\t'])(
    'finds the separator %j in the first line, and counts lines as an editor shows them',
    async (separator) => {
      const text = ['a|b', '', '"1\r\n2"|3', '|', '4|5'].join('\r\n').replaceAll('|', separator);
      expect(await readCsv(text, 9)).toEqual([
        { line: 1, cells: ['a', 'b'] },
        { line: 3, cells: ['1\n2', '3'] },
        { line: 6, cells: ['4', '5'] },
      ]);
    },
  );

  it('lets other requests run while it reads half a megabyte of one character', async () => {
    for (const unit of ['"', '"""a",', 'a"', '",', '"x\n",', ',', '\n', '\r', ' ', 'a', 'a,b\n']) {
      let turns = 0;
      let isReading = true;
      const others = (async () => {
        for (; isReading; turns += 1) await setImmediate();
      })();
      const rows = await readCsv(unit.repeat(500_000 / unit.length), 20_001).catch((error: unknown) => error);
      isReading = false;
      await others;
      expect(rows instanceof CsvError || (Array.isArray(rows) && rows.length <= 20_001), unit).toBe(true);
      expect(turns, unit).toBeGreaterThan(3);
    }
  });

  it.each(['"say "hi" there"', '"He said "yes, please" ok"', '"5" pipe"', '"a" b'])(
    'names line and column of a quotation mark that is not doubled: %s',
    async (cell) => {
      const message = 'In column 2, double each quotation mark inside the cell.';
      await expect(readCsv(`a,b,c\n"""1""\n",${cell},2`, 9)).rejects.toMatchObject({ line: 2, message });
    },
  );

  it('reads doubled quotation marks, and those of a cell without any around it', async () => {
    const [row] = await readCsv('5" pipe,"""x""","say ""hi""",""""', 1);
    expect(row?.cells).toEqual(['5" pipe', '"x"', 'say "hi"', '"']);
  });

  it('names the line of a quotation mark that is never closed', async () => {
    await expect(readCsv('a,b\n1,2\n3,"4\n5,6', 9)).rejects.toMatchObject({ line: 3 });
  });
});
