import { createMiddleware } from 'hono/factory';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { readBytes } from '#scripts/api/http/request-body.ts';
import type { OfficeEnv } from './page.ts';

/** In bytes. */
const FORM_MOST = 64 * 1_024;

const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

const tooLarge = (most: number): Refusal =>
  new Refusal(
    413,
    most > FORM_MOST
      ? `What was sent is larger than ${Math.floor(most / 1_024 / 1_024)} MB, and nothing of it was stored. Go back, and choose fewer or smaller files.`
      : 'What was sent is too long, and nothing of it was stored. Go back, and make it shorter.',
  );

/** Reads the form into the context. @throws Refusal 413, 415, or 400 where it cannot be read */
export const readForm = (most = FORM_MOST) =>
  createMiddleware<OfficeEnv>(async (context, next) => {
    const type = context.req.header('content-type') ?? '';
    if (!FORM_TYPE.test(type)) throw new Refusal(415, 'The request must be a form.');
    const bytes = await readBytes(context.req.raw, most).catch((error: unknown) => {
      throw error instanceof Refusal && error.status === 413 ? tooLarge(most) : error;
    });
    try {
      context.set('form', await new Response(bytes, { headers: { 'Content-Type': type } }).formData());
    } catch {
      throw new Refusal(400, 'The form cannot be read.');
    }
    await next();
  });
