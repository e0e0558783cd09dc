import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import type { Reader } from '#server/db/database.ts';

/** A part of an email. `rows` are pairs of a label and a value; the last of them is a total where `hasTotal` is set. */
export type Block =
  | { readonly text: string }
  | { readonly rows: readonly (readonly [label: string, value: string])[]; readonly hasTotal?: true }
  | { readonly button: string; readonly address: string };

/** A paragraph for each line that says something. */
export const paragraphs = (text: string): Block[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => ({ text: line }));

export interface EmailText {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/** What every email may name. */
export interface EmailValues {
  /** The origin of the shop's site, from the settings and never from a request. */
  readonly site: string;
  /** The origin of the API, which mail programs call by themselves. */
  readonly api: string;
  readonly storeName: string;
  /** How many working days a refund may take to arrive. */
  readonly refundDays: number;
  /** For how many days an order may be returned (`readReturnDays`). */
  readonly returnDays: number;
  /** The link in the email, with its secret; '' for an email without one. */
  readonly link: string;
}

/** A link in an email that opens something, once. The page reads the secret after the '#', which no server is sent. */
export interface LinkKind {
  /** What it opens. Only the call that asks for this purpose takes it. */
  readonly purpose: string;
  /** The kind of the email that has it. */
  readonly email: string;
  readonly path: string;
  /** How long it works after the email was sent. */
  readonly minutes: number;
}

/** Somebody an email goes to. */
export interface Recipient {
  readonly address: string;
  /** '' where it is not known. */
  readonly name: string;
  readonly language: Language;
}

export interface EmailData<Facts> extends Recipient {
  readonly facts: Facts;
  /** Who gets the reply, if not the company. */
  readonly replyTo?: string;
  /** What the link in the email is about: a customer's id, for instance. */
  readonly linkAbout?: string;
  /** Whether somebody else typed the address. It is then treated as one that is not proven, also where its own account has proven it. */
  readonly isTypedByOthers?: true;
}

type Write<Facts> = (language: Language, facts: Facts, values: EmailValues) => EmailText;

export interface Definition<Details, Facts> {
  /** Names the email in the database and the log. */
  readonly kind: string;
  /** When it is sent, and to whom, for the admin. */
  readonly when: string;
  /** What is stored with the email until it is sent, besides what it is about. No secrets. */
  readonly details?: v.GenericSchema<unknown, Details>;
  readonly link?: LinkKind;
  /** Whether it goes to the staff, who need not be told how to reach the shop. */
  readonly isToStaff?: true;
  /** Sent before all others: what a customer waits for to get into an account, or to keep others out of it. */
  readonly isUrgent?: true;
  /** Whether the address is erased once the email was sent. */
  readonly erasesAddress?: true;
  /**
   * Reads what the email says at the moment it is sent. Returns undefined where nothing is left to say. Then no email
   * is sent. @param now in ms
   */
  readonly find: (
    db: Reader,
    about: string,
    details: Details,
    now: number,
  ) => Promise<EmailData<Facts> | undefined>;
  readonly write: Write<Facts>;
  /**
   * What goes to an address that nobody has proven to be theirs. It must hold nothing that a customer typed, because a
   * stranger may get it: at most a number, an amount and links. 'same' where `write` holds no such text either. Without
   * it, the email only says that there is news.
   */
  readonly unverified?: 'same' | Write<Facts>;
  /** Shown in the admin. */
  readonly sample: Facts;
}

/** An email to a recipient, of which only the place and the link are missing. */
export interface LoadedEmail extends Recipient {
  readonly linkAbout: string | undefined;
  readonly replyTo: string | undefined;
  readonly isTypedByOthers: boolean;
  /** @param isProven whether the address is known to be the recipient's */
  readonly write: (values: EmailValues, isVerified: boolean) => EmailText;
}

/** A kind of email. Its list is `app/letters.ts`. */
export interface Email<Details = unknown> {
  readonly kind: string;
  readonly when: string;
  readonly link: LinkKind | undefined;
  readonly erasesAddress: boolean;
  readonly isToStaff: boolean;
  readonly isUrgent: boolean;
  /** Only tells TypeScript which details belong to the email. */
  readonly details: v.GenericSchema<unknown, Details>;
  /** @param details as JSON. @param now in ms. @throws ValiError where they are of another version of the program */
  readonly load: (
    db: Reader,
    about: string,
    details: string,
    now: number,
  ) => Promise<LoadedEmail | undefined>;
  readonly preview: (language: Language, values: EmailValues) => EmailText;
}

const NO_DETAILS = v.object({});

/** What an email says: its subject, and its text with a paragraph on each line. A line in brackets is its button. */
interface Words<Facts> {
  readonly subject: (values: EmailValues, facts: Facts) => string;
  readonly text: (facts: Facts, values: EmailValues) => string;
}

/** Writes an email that is nothing but its words. @param address where its button leads */
export const writeWords =
  <Facts>(
    words: Readonly<Record<Language, Words<Facts>>>,
    address: (values: EmailValues, facts: Facts) => string = ({ link }) => link,
  ): Write<Facts> =>
  (language, facts, values) => ({
    subject: words[language].subject(values, facts),
    blocks: paragraphs(words[language].text(facts, values)).map((block) => {
      const [, button] = ('text' in block && /^\[(.*)\]$/.exec(block.text)) || [];
      return button === undefined ? block : { button, address: address(values, facts) };
    }),
  });

const NEWS = writeWords<unknown>({
  en: {
    subject: ({ storeName }) => `There is news for you at ${storeName}`,
    text: () => 'It is about your account or an order of yours. Sign in to see it.',
  },
  hi: {
    subject: ({ storeName }) => `${storeName} पर आपके लिए कुछ नया है`,
    text: () => 'यह आपके अकाउंट या किसी ऑर्डर के बारे में है। देखने के लिए साइन इन करें।',
  },
});

export function defineEmail<Facts>(definition: Definition<object, Facts>): Email<object>;
export function defineEmail<Details, Facts>(
  definition: Definition<Details, Facts> & { readonly details: v.GenericSchema<unknown, Details> },
): Email<Details>;
export function defineEmail<Facts>(definition: Definition<object, Facts>): Email<object> {
  const { kind, when, link, find, write, sample, unverified = NEWS } = definition;
  const { erasesAddress = false, isToStaff = false, isUrgent = false, details = NO_DETAILS } = definition;
  return {
    kind,
    when,
    link,
    erasesAddress,
    isToStaff,
    isUrgent,
    details,
    async load(db, about, json, now) {
      const found = await find(db, about, v.parse(details, JSON.parse(json)), now);
      if (!found) return undefined;
      const { facts, linkAbout, replyTo, isTypedByOthers = false, ...recipient } = found;
      return {
        ...recipient,
        linkAbout,
        replyTo,
        isTypedByOthers,
        write: (values, isVerified) =>
          (isVerified || unverified === 'same' ? write : unverified)(recipient.language, facts, values),
      };
    },
    preview: (language, values) => write(language, sample, values),
  };
}
