import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';
import { line } from './schema/lenient.ts';

/** What the contact form says, by the names of its fields. */
export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly language: Language;
  /** A field that no person sees. Programs that fill in every form fill it in, too. */
  readonly website: string;
}

/** The answer of POST /messages. */
export const MessageAnswerReader = v.object({ ticket: line(100) });

/** POST /messages: a message gets a ticket, and belongs to the account of who is signed in (resolutions 43). */
export const sendMessage = (message: ContactMessage): Promise<Result<{ ticket: string }>> =>
  call(MessageAnswerReader, 'messages', { method: 'post', json: message });
