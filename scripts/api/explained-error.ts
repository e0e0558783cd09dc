/** An error whose message is all that the person at the terminal needs, so that no stack is shown with it. */
export class ExplainedError extends Error {}

/** Runs a command line program. What it throws is shown, and ends it with exit code 1. */
export function runProgram(program: () => Promise<void>): void {
  program().catch((error: unknown) => {
    console.error(error instanceof ExplainedError ? error.message : error);
    process.exit(1);
  });
}
