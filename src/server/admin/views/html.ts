import type { HtmlEscapedString } from 'hono/utils/html';

/** What the `html` tag of hono/html returns. It escapes every value that is not such a piece itself. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Whatever may stand in a template: text is escaped, an empty text shows nothing. */
export type Content = Html | string | readonly Html[];
