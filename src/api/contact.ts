import * as v from 'valibot';
import { call } from './client.ts';
import type { Result } from './failure.ts';

/** POST /contact. A customer's session has a larger share of messages. @param message the fields of the form, by name */
export const postContact = (
  message: Readonly<Record<string, FormDataEntryValue>>,
): Promise<Result<undefined>> =>
  call(v.undefined(), 'contact', { method: 'post', ignoreBody: true, json: message });
