import { ValiError } from 'valibot';

export type LogLevel = 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Never log an email, a name, an address, a token, or a path with its parameters filled in. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/** Returns an error's stack. Leaves out the message of a parser's error, which quotes what may be a customer's data. */
export function loggedError(error: unknown): string {
  if (!(error instanceof Error)) return 'no error';
  const { name, message, stack = `${name}: ${message}` } = error;
  const quotes = error instanceof SyntaxError || error instanceof ValiError;
  return quotes ? stack.replace(message, () => '…') : stack;
}

/** Writes one JSON object per line. */
export function jsonLog(write: (line: string) => void = (line) => process.stdout.write(line)): Log {
  return (level, event, fields = {}) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
}

export const silentLog: Log = () => undefined;
