import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100dvh; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 1.5rem; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.amount { font-size: 2.25rem; font-weight: 700; margin: 0; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button { min-height: 3rem; border-radius: .75rem; border: 2px solid #1b4332; font: inherit; font-weight: 600; cursor: pointer; }
button[value=succeeded] { background: #1b4332; color: #fff; }
button[value=failed] { background: #fff; color: #8a1c1c; border-color: #8a1c1c; }
:focus-visible { outline: 3px solid #f4a300; outline-offset: 2px; }
`;

/**
 * The headers of every page of the sandbox gateway. They allow no scripts. A form may only be sent to the gateway itself,
 * which may then redirect to the shop.
 */
export function pageHeaders(siteOrigins: readonly string[]): Record<string, string> {
  const style = createHash('sha256').update(STYLE).digest('base64');
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${style}'`,
      `form-action 'self' ${siteOrigins.join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
}

const page = (title: string, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>Test payments: no money moves here.</p>
${content}
</main>
</body>
</html>
`;

export const messagePage = (title: string, text: string): Html =>
  page(title, html`<p role="status">${text}</p>`);

export interface Choice {
  /** Where the form is posted. */
  readonly action: string;
  readonly payee: string;
  /** The amount as the page shows it, such as ₹899. */
  readonly amount: string;
  readonly reference: string;
  /** Fields that the form sends back unchanged. */
  readonly hidden: Readonly<Record<string, string>>;
}

/** The page on which a tester chooses whether the payment succeeds or fails. */
export function choicePage({ action, payee, amount, reference, hidden }: Choice): Html {
  const inputs = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page(
    'Sandbox payment',
    html`<p>Decide how this payment ends.</p>
<p class="amount">${amount}</p>
<p>to ${payee}<br>Reference ${reference}</p>
<form method="post" action="${action}">
${inputs}
<button type="submit" name="outcome" value="succeeded">Succeed</button>
<button type="submit" name="outcome" value="failed">Fail</button>
</form>`,
  );
}
