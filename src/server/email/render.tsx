import * as v from 'valibot';
import { isEmail } from '#domain/email.ts';
import type { Language } from '#domain/language.ts';
import { isPlainText } from '#domain/text.ts';
import { htmlDocument } from '#server/http/documents.ts';
import type { Services } from '#server/services/services.ts';
import { STORE_DEFAULTS } from '#site.ts';
import type { Block, Email, EmailText, EmailValues, Recipient } from './email.ts';

const SenderSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    storeName: v.optional(v.string(), ''),
    companyName: v.optional(v.string(), ''),
    companyAddress: v.optional(v.string(), ''),
    companyEmail: v.optional(v.string(), ''),
    companyPhone: v.optional(v.string(), ''),
    refundDays: v.nullish(v.number(), STORE_DEFAULTS.refundDays),
  }),
);

export type Sender = v.InferOutput<typeof SenderSchema>;

export const senderOf = async ({ catalogue }: Pick<Services, 'catalogue'>): Promise<Sender> =>
  v.parse(SenderSchema, (await catalogue()).storeInfo);

/** From the settings, so that no request can change where links lead. */
export const siteOf = ({ settings }: Pick<Services, 'settings'>): string => settings.siteOrigins[0] ?? '';

/** @param link the URL of its link, or '' */
export const emailValuesOf = (services: Services, sender: Sender, link: string): EmailValues => ({
  ...sender,
  site: siteOf(services),
  api: services.apiOrigin,
  link,
});

/** Rejects texts that would add recipients or headers. */
export const isAddress = (text: string): boolean => isPlainText(text) && isEmail(text);

/** The style of every email. A mail program that drops it shows the same text, table and link. */
export const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 0; background: #f5f7f2; color: #0f2a20;
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Devanagari', sans-serif; }
.email { max-width: 560px; margin: 0 auto; padding: 24px 20px; background: #ffffff; }
.store { margin: 0 0 20px; color: #0b5c3b; font-weight: 700; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.25; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
table { width: 100%; margin: 0 0 16px; border-collapse: collapse; }
td { padding: 8px 0; border-bottom: 1px solid #dce3db; vertical-align: top; overflow-wrap: anywhere; }
.value { padding-left: 16px; text-align: right; white-space: nowrap; overflow-wrap: normal; }
.total td { border-bottom: 0; font-weight: 700; }
.button { display: inline-block; padding: 14px 24px; border-radius: 28px; background: #0b5c3b; color: #ffffff;
  font-weight: 700; text-decoration: none; }
.small { margin: 0 0 8px; color: #5a6c63; font-size: 14px; }
.foot { margin-top: 28px; padding-top: 16px; border-top: 1px solid #dce3db; }
@media (prefers-color-scheme: dark) {
  body { background: #0b1511; color: #eef5f0; }
  .email { background: #131f19; }
  .store { color: #7cdfa6; }
  td, .foot { border-color: #2b3d34; }
  .button { background: #7cdfa6; color: #06281a; }
  .small { color: #9db0a5; }
}`;

const LABELS = {
  en: {
    hello: (name: string) => (name ? `Hello ${name},` : 'Hello,'),
    questions: (phone: string) => `Questions? Reply to this email or call ${phone}.`,
  },
  hi: {
    hello: (name: string) => (name ? `नमस्ते ${name},` : 'नमस्ते,'),
    questions: (phone: string) => `कोई सवाल? इस ईमेल का जवाब दें या ${phone} पर फ़ोन करें।`,
  },
} as const satisfies Record<Language, object>;

function EmailBlock({ block }: { readonly block: Block }) {
  if ('text' in block) return <p>{block.text}</p>;
  if ('button' in block)
    return (
      <>
        <p>
          <a className="button" href={block.address}>
            {block.button}
          </a>
        </p>
        <p className="small address">{block.address}</p>
      </>
    );
  const last = block.hasTotal ? block.rows.length - 1 : -1;
  return (
    <table>
      <tbody>
        {block.rows.map(([label, value], index) => (
          <tr key={label} className={index === last ? 'total' : undefined}>
            <td>{label}</td>
            <td className="value">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const textOf = (block: Block): string => {
  if ('text' in block) return block.text;
  if ('button' in block) return `${block.button}:\n${block.address}`;
  return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
};

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Renders an email as text and HTML. All values are escaped: names and addresses are strangers' text. */
export async function render(
  { isToStaff }: Pick<Email, 'isToStaff'>,
  { subject, blocks }: EmailText,
  { name, language }: Pick<Recipient, 'name' | 'language'>,
  sender: Sender,
): Promise<Rendered> {
  const { hello, questions } = LABELS[language];
  const { storeName, companyName, companyAddress, companyPhone } = sender;
  const foot = [
    ...(isToStaff ? [] : [questions(companyPhone.replaceAll(' ', '\u00a0'))]),
    `${companyName}, ${companyAddress}`,
  ];
  const html = htmlDocument(
    <html lang={language === 'hi' ? 'hi' : 'en-IN'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <div className="email">
          <p className="store">{storeName}</p>
          <h1>{subject}</h1>
          <p>{hello(name)}</p>
          {blocks.map((block, index) => (
            <EmailBlock key={index} block={block} />
          ))}
          <div className="foot">
            {foot.map((line) => (
              <p key={line} className="small">
                {line}
              </p>
            ))}
          </div>
        </div>
      </body>
    </html>,
  );
  const text = [hello(name), ...blocks.map(textOf), '-- ', ...foot].join('\n\n');
  return { subject, text: `${text}\n`, html };
}
