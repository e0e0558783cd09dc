import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';

export interface NewsletterWish {
  readonly email: string;
  readonly language: Language;
  /** A field that no person sees. Programs that fill in every form fill it in, too. */
  readonly website: string;
}

/** What a link of a letter of the newsletter does. */
export type NewsletterStep = 'confirm' | 'leave';

const post = (path: string, json: object): Promise<Result<undefined>> =>
  call(v.undefined(), path, { method: 'post', anonymous: true, ignoreBody: true, json });

/** POST /newsletter: has a letter sent whose link confirms that the newsletter is wanted (resolutions 43). */
export const askNewsletter = (wish: NewsletterWish): Promise<Result<undefined>> => post('newsletter', wish);

/** POST /newsletter/confirm and /newsletter/leave. @param token of the link */
export const takeNewsletterStep = (step: NewsletterStep, token: string): Promise<Result<undefined>> =>
  post(`newsletter/${step}`, { token });
