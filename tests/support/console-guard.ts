import type { BrowserContext } from 'playwright/test';

/** What Chromium logs by itself for an answer of 400 and above, or for none, also where it was asked for a worker. */
export const FAILED_REQUEST = /Failed to load resource|An unknown error occurred when fetching the script/;

export type ConsoleGuard = {
  /** From here on errors that match are expected. */
  allow: (...patterns: RegExp[]) => void;
  /** Errors that no pattern allows, each with the page it came from. */
  unexpected: () => string[];
};

/** Listens for console errors and uncaught exceptions, unhandled rejections among them, on every page. */
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
