import * as v from 'valibot';

/** Any row of the database. */
export const anyRow = v.record(v.string(), v.unknown());

export const countRow = v.object({ count: v.number() });
