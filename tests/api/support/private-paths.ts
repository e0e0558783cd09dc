import { API_CALLS } from '#scripts/api/app/calls.ts';

/** What only somebody who is signed in may read. */
export const privatePaths: readonly string[] = API_CALLS.filter(
  ({ method, access }) => method === 'GET' && access === 'bearer',
).map(({ path }) => path);
