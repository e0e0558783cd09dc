import { ExplainedError } from '#scripts/api/explained-error.ts';

/** The database could not be reached to open it. A later attempt may succeed. */
export class UnreachableDatabase extends ExplainedError {}
