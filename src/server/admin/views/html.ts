import type { HtmlEscapedString } from 'hono/utils/html';

/** The result of the `html` tag of hono/html, which escapes every value of another type. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export type Content = Html | string | readonly Html[];
