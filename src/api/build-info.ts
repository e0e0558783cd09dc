import * as v from 'valibot';
import { fetchBuilt } from './listing-data.ts';
import { type BuildInfo, BuildInfoSchema } from './schema/build-info.ts';

export const fetchBuildInfo = (): Promise<BuildInfo | undefined> =>
  fetchBuilt('/build-info.json', (value): value is BuildInfo => v.is(BuildInfoSchema, value));
