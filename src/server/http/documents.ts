import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Renders a page, from its `html` element down. */
export const htmlDocument = (page: ReactElement): string => `<!doctype html>\n${renderToStaticMarkup(page)}`;

/** Answers with a download that is generated while it is sent. A failure breaks the connection. */
export function textFile(name: string, type: string, parts: AsyncIterator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}
