import * as v from 'valibot';
import { call } from './client.ts';
import type { Result } from './failure.ts';

/** What the contact form says, by the names of its fields. */
export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  /** A field that no person sees. Programs that fill in every form fill it in, too. */
  readonly website: string;
}

/** POST /contact: the API sends the message to the company by email. */
export const postContact = (message: ContactMessage): Promise<Result<undefined>> =>
  call(v.undefined(), 'contact', { method: 'post', anonymous: true, ignoreBody: true, json: message });
