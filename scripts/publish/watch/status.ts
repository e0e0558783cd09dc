import { escapeMarkup } from '#domain/markup.ts';
import type { PublishingStatus } from '#scripts/program/publishing.ts';

const row = (name: string, value: string): string =>
  `<tr><th scope="row">${name}</th><td>${escapeMarkup(value)}</td></tr>`;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}th{text-align:left;vertical-align:top;padding-right:2rem}pre{white-space:pre-wrap;margin:0}';

/** The status as a page for people. Texts from the catalogue are escaped. */
export function statusPage(status: PublishingStatus): string {
  const releases = status.releases.map(
    ({ id, at, kind, summary }) =>
      `<tr><td>${escapeMarkup(id)}${id === status.live ? ' <strong>live</strong>' : ''}</td><td>${escapeMarkup(kind)} ${escapeMarkup(at)}</td><td><pre>${escapeMarkup(summary.join('\n'))}</pre></td></tr>`,
  );
  const rows = [
    row('Now', status.pending ? `${status.state}, one more build waits` : status.state),
    row('Live release', status.live ?? 'none yet'),
    row('Catalogue last looked at', status.checkedAt ?? 'not yet'),
    ...(status.checkFailure ? [row('The catalogue does not answer', status.checkFailure)] : []),
    ...(status.failure ? [row('Last build failed', status.failure)] : []),
    ...(status.retryAt ? [row('Next try', new Date(status.retryAt).toISOString())] : []),
  ];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Publishing: ${escapeMarkup(status.state)}</title><style>${STYLE}</style></head><body><main><h1>Publishing</h1><table>${rows.join('')}</table><h2>Last releases</h2><table><thead><tr><th>Release</th><th>When</th><th>What changed</th></tr></thead><tbody>${releases.join('')}</tbody></table></main></body></html>`;
}
