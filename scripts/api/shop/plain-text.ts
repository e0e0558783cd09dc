import * as v from 'valibot';
import { isPlainText } from '#domain/plain-text.ts';

/**
 * Refuses control signs, ends of lines and marks of direction. Every text that a stranger sends and somebody is shown has
 * this in its schema; tests/api/app/strangers-text.test.ts walks all calls and names a field that lacks it.
 */
export const plainText = (message: string) => v.check(isPlainText, message);
