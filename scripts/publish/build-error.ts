/** What went wrong, in words for the person who started the build or the publication. */
export class BuildError extends Error {}

/** The words of a BuildError alone; of anything else all there is. */
export const messageOf = (error: unknown): string => {
  if (error instanceof BuildError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
