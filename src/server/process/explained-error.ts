/** An error whose message is all that the person at the terminal needs, so that no stack is shown with it. */
export class ExplainedError extends Error {}

/** Runs a command line program. What it throws is shown, and ends it with exit code 1. */
export function runProgram(program: () => Promise<void>): void {
  program().catch((error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  });
}

/** What went wrong, in words for the person who started the build or the publication. */
export class BuildError extends ExplainedError {}

/** What was made of the catalogue may not go live. Another try would end the same until somebody changes something. */
export class RefusedRelease extends BuildError {}

export const stopped = (signal: NodeJS.Signals): BuildError =>
  new BuildError(`The build was stopped (${signal}). Nothing was published.`);

const DISK_FULL = /\b(ENOSPC|EDQUOT)\b|disk is full/;

/** The message of an ExplainedError; of any other error also the stack. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (DISK_FULL.test(error.message)) {
    const [reason] = error.message.split('\n');
    return error.message.startsWith('The disk is full')
      ? error.message
      : `The disk is full. Nothing was published. (${reason})`;
  }
  return error instanceof ExplainedError ? error.message : (error.stack ?? error.message);
};
