import { ExplainedError } from '#scripts/api/explained-error.ts';

/** The database did not let anybody in when it was to be opened. It may later. */
export class UnreachableDatabase extends ExplainedError {}
