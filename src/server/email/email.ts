import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import type { Reader } from '#server/db/database.ts';
import type { TokenKind } from '#server/db/tokens.ts';

/** A part of an email. With `hasTotal`, the last row is a total. */
export type Block =
  | { readonly text: string }
  | { readonly rows: readonly (readonly [label: string, value: string])[]; readonly hasTotal?: true }
  | { readonly button: string; readonly address: string };

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A paragraph for each line that is not blank. */
export const paragraphs = (text: string): Block[] => linesOf(text).map((line) => ({ text: line }));

/** The same, with a button for a line in square brackets. @param address where it leads */
export const blocksOf = (text: string, address: string): Block[] =>
  linesOf(text).map((line) => {
    const button = /^\[(.*)\]$/.exec(line)?.[1];
    return button === undefined ? { text: line } : { button, address };
  });

export interface EmailText {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/** The values that every email may use. */
export interface EmailValues {
  readonly storeName: string;
  /** Working days until a refund arrives, at most. */
  readonly refundDays: number;
  /** The origin of the site, from the settings and never from a request. */
  readonly site: string;
  /** The origin of the API, for links into the admin. */
  readonly api: string;
  /** The URL of the email's link, with its secret; '' if it has none. */
  readonly link: string;
}

/** A link in an email that works once. The secret is after the '#', so that it is sent to no server. */
export interface LinkKind extends TokenKind {
  /** The kind of email that contains it. */
  readonly email: string;
  readonly path: string;
  /** The page stores a new password: its password manager needs the email of the account. */
  readonly namesAccount?: true;
}

export interface Recipient {
  readonly address: string;
  /** '' if it is not known. */
  readonly name: string;
  readonly language: Language;
  /** Where replies go, if not to the company. */
  readonly replyTo?: string;
  /** The subject of the email's link, such as a customer's id. */
  readonly linkSubjectId?: string;
  /** Whether another customer typed the address. It then counts as unverified, even if its own account has verified it. */
  readonly isTypedByOthers?: true;
}

export interface EmailData<Facts> extends Recipient {
  readonly facts: Facts;
}

export interface LoadedEmail extends Recipient {
  readonly write: (values: EmailValues, isVerified: boolean) => EmailText;
}

type Write<Facts> = (language: Language, facts: Facts, values: EmailValues) => EmailText;

/** A kind of email. `app/emails.ts` lists them all. */
export interface Email<Details = unknown> {
  /** Its name in the database and the log. */
  readonly kind: string;
  /** When it is sent and to whom, shown in the admin. */
  readonly when: string;
  /** Stored with the email until it is sent. No secrets. `queueEmail` checks its type. */
  readonly details?: v.GenericSchema<unknown, Details>;
  readonly link?: LinkKind;
  /** Whether it goes to the staff. It then does not say how to reach the shop. */
  readonly isToStaff?: true;
  /** Sent first: a customer needs it to get into an account, or to keep others out. */
  readonly isUrgent?: true;
  /** Whether the address is erased after the email was sent. */
  readonly erasesAddress?: true;
  /** @param details as JSON. @param now in ms. @throws ValiError if the details are of another version of the program */
  readonly load: (
    db: Reader,
    subjectId: string,
    details: string,
    now: number,
  ) => Promise<LoadedEmail | undefined>;
  readonly preview: (language: Language, values: EmailValues) => EmailText;
}

interface Definition<Details, Facts extends object> extends Omit<Email<Details>, 'load' | 'preview'> {
  /**
   * Reads the data of the email when it is sent. Returns undefined if the email has become pointless; it is then dropped.
   * @param now in ms
   */
  readonly find: (
    db: Reader,
    subjectId: string,
    details: Details,
    now: number,
  ) => Promise<EmailData<Facts> | undefined>;
  readonly write: Write<Facts>;
  /**
   * The text for an unverified address, which may be a stranger's. It must contain nothing that a customer typed: at most
   * a number, an amount and links. 'same' if `write` contains no such text either. By default the email only says that
   * there is news.
   */
  readonly unverified?: 'same' | Write<Facts>;
  /** For the preview in the admin. */
  readonly sample: Facts;
}

const NO_DETAILS = v.object({});

/** The first line is the subject. `blocksOf` makes the others into paragraphs and the button. */
export type Texts<Facts> = Readonly<Record<Language, (facts: Facts & EmailValues) => string>>;

/** For emails of text and one button. @param address where the button leads */
export const writeTexts =
  <Facts extends object>(
    texts: Texts<Facts>,
    address: (facts: Facts & EmailValues) => string = ({ link }) => link,
  ): Write<Facts> =>
  (language, facts, values) => {
    const all = { ...facts, ...values };
    const [subject = '', ...lines] = texts[language](all).split('\n');
    return { subject, blocks: blocksOf(lines.join('\n'), address(all)) };
  };

const NEWS = writeTexts<object>({
  en: ({ storeName }) => `There is news for you at ${storeName}
    It is about your account or an order of yours. Sign in to see it.`,
  hi: ({ storeName }) => `${storeName} पर आपके लिए कुछ नया है
    यह आपके अकाउंट या किसी ऑर्डर के बारे में है। देखने के लिए साइन इन करें।`,
});

export function defineEmail<Facts extends object>(definition: Definition<object, Facts>): Email<object>;
export function defineEmail<Details, Facts extends object>(
  definition: Definition<Details, Facts> & { readonly details: v.GenericSchema<unknown, Details> },
): Email<Details>;
export function defineEmail<Facts extends object>(definition: Definition<object, Facts>): Email<object> {
  const { find, write, sample, unverified = NEWS, details = NO_DETAILS, ...email } = definition;
  return {
    ...email,
    details,
    async load(db, subjectId, json, now) {
      const found = await find(db, subjectId, v.parse(details, JSON.parse(json)), now);
      if (!found) return undefined;
      const { facts, ...addressed } = found;
      return {
        ...addressed,
        write: (values, isVerified) =>
          (isVerified || unverified === 'same' ? write : unverified)(found.language, facts, values),
      };
    },
    preview: (language, values) => write(language, sample, values),
  };
}
