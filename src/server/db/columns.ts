import * as v from 'valibot';

/** Reads a column of JSON. */
export const json = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

/** Returns the text to append to a column of `appendedTo`. */
export const appended = (row: object): string => `${JSON.stringify(row)},`;

/** Reads a column of JSON rows, each with a comma after it. */
export const appendedTo = <S extends v.GenericSchema>(row: S) =>
  v.pipe(
    v.string(),
    v.transform((text) => JSON.parse(`[${text.replace(/,$/, '')}]`)),
    v.array(row),
  );
