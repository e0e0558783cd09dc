import type { BrowserContext } from 'playwright/test';

/** What Chromium itself logs when a response has a status from 400 or never comes, also for a worker's script. */
export const FAILED_REQUEST = /Failed to load resource|An unknown error occurred when fetching the script/;

export type ConsoleGuard = {
  /** Errors that match are expected from now on. */
  allow: (...patterns: RegExp[]) => void;
  /** The errors that no pattern allows, each with the address of its page. */
  unexpected: () => string[];
};

/** Collects console errors, uncaught exceptions and unhandled rejections on every page. */
export const guardConsole = (context: BrowserContext): ConsoleGuard => {
  const errors: string[] = [];
  const allowed: RegExp[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (webError) => {
    const error = webError.error();
    errors.push(
      `${error.stack || `${error.name}: ${error.message}`} (${webError.page()?.url() ?? 'no page'})`,
    );
  });
  return {
    allow: (...patterns) => allowed.push(...patterns),
    unexpected: () => errors.filter((error) => !allowed.some((pattern) => pattern.test(error))),
  };
};
