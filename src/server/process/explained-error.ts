import { deniedMessage } from './permissions.ts';

/** An error whose message says enough, so that a terminal shows it without a stack. */
export class ExplainedError extends Error {}

/** Runs a command line program. An error is shown, and ends it with exit code 1. */
export function runProgram(program: () => Promise<void>): void {
  program().catch((error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  });
}

/** Returns a signal that aborts when the program is asked to stop. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
}

/** A build or publication failed for a reason that the message explains. */
export class BuildError extends ExplainedError {}

/** The site may not go live as it is. Another attempt fails until the catalogue or a setting changes. */
export class RefusedRelease extends BuildError {}

export const stopped = (signal: NodeJS.Signals): BuildError =>
  new BuildError(`The build was stopped (${signal}). Nothing was published.`);

const DISK_FULL = /\b(ENOSPC|EDQUOT)\b|disk is full/;

/** Returns the message of an ExplainedError or of a file that may not be written; for any other error also the stack. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (DISK_FULL.test(error.message)) {
    const [reason] = error.message.split('\n');
    return error.message.startsWith('The disk is full')
      ? error.message
      : `The disk is full. Nothing was published. (${reason})`;
  }
  if (error instanceof ExplainedError) return error.message;
  return deniedMessage(error) ?? error.stack ?? error.message;
};
