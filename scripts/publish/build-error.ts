/** What went wrong, in words for the person who started the build or the publication. */
export class BuildError extends Error {}

const isDiskFull = (error: Error): boolean =>
  'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** The words of a BuildError alone; of anything else all there is. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (isDiskFull(error)) return `The disk is full. Nothing was published. (${error.message})`;
  return error instanceof BuildError ? error.message : (error.stack ?? error.message);
};
