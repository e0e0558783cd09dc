import { createMiddleware } from 'hono/factory';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { readBytes } from '#scripts/api/http/request-body.ts';
import type { OfficeEnv } from './page.ts';

/** In bytes. */
const FORM_MOST = 64 * 1_024;

const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** Reads the form into the context. @throws Refusal 413, 415, or 400 where it cannot be read */
export const readForm = (most = FORM_MOST) =>
  createMiddleware<OfficeEnv>(async (context, next) => {
    const type = context.req.header('content-type') ?? '';
    if (!FORM_TYPE.test(type)) throw new Refusal(415, 'The request must be a form.');
    const bytes = await readBytes(context.req.raw, most);
    try {
      context.set('form', await new Response(bytes, { headers: { 'Content-Type': type } }).formData());
    } catch {
      throw new Refusal(400, 'The form cannot be read.');
    }
    await next();
  });
